--TEST--
INI settings: a wrong value is an error that names the setting, and shows no password
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
foreach ([
	['redislock.server', 'redis.example'],
	['redislock.server', 'http://redis.example'],
	['redislock.server', 'tcp://:s3cret@redis.example:70000'],
	['redislock.server', 'tcp://redis.example?pasword=s3cret'],
	['redislock.server', 'rediss://redis.example?ssl[ciphers]=s3cret'],
	['redislock.ttl', '-1'],
	['redislock.ttl', '0.0001'],
	['redislock.ttl', '315360001'],
	['redislock.ttl', 'a minute'],
	['redislock.connect_timeout', '3601'],
	['redislock.connect_timeout', '-2'],
	['redislock.connect_timeout', '0.0001'],
	['redislock.connect_timeout', 'soon'],
	['redislock.io_timeout', '1e400'],
	['redislock.io_timeout', '2s'],
	['redislock.io_timeout', '3600'],
	['redislock.io_timeout', '0'],
	['redislock.io_timeout', '-1'],
	['redislock.io_timeout', ''],
] as [$name, $value]) {
	$before = ini_set($name, $value);
	echo outcome(fn () => (string) new RedisLock()), "\n";
	ini_set($name, $before);
}
?>
--EXPECT--
ValueError: redislock.server is wrong: the URI must begin with a scheme, as "redis://" does
ValueError: redislock.server is wrong: the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
ValueError: redislock.server is wrong: option "port" must be a whole number from 1 to 65535
ValueError: redislock.server is wrong: unknown option "pasword", did you mean "password"?
ValueError: redislock.server is wrong: option "ssl.ciphers" is not supported; there are verify_peer, verify_peer_name, peer_name, cafile, capath, local_cert, local_pk, passphrase and allow_self_signed
ValueError: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
ValueError: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 0.0001 given
ValueError: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 315360001 given
ValueError: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
ValueError: ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ValueError: ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ValueError: ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ValueError: ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ValueError: ini setting "redislock.io_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ValueError: ini setting "redislock.io_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
'default[60]'
'default[60]'
'default[60]'
'default[60]'
