--TEST--
INI settings: a wrong value is an error that names the setting, and shows no password
--EXTENSIONS--
redislock
posix
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
	['redislock.renewal_idle', '-1'],
	['redislock.renewal_idle', '86401'],
	['redislock.renewal_idle', 'for ever'],
	['redislock.renewal_idle', '0'],
	['redislock.renewal_idle', '86400'],
] as [$name, $value]) {
	$before = ini_get($name);
	set_error_handler(fn (int $code, string $message) => print("$message\n"), E_WARNING);
	$taken = ini_set($name, $value) !== false;
	restore_error_handler();
	echo $taken ? "taken\n" : (ini_get($name) === $before ? '' : "but set all the same\n");
	outcome(fn () => (string) new RedisLock()) === "'[60]'" || print("and yet no lock can be made\n");
	ini_set($name, $before);
}

/* One of php.ini cannot be refused. A lock is not made with another server or ttl than somebody meant. */
foreach (['ttl=a minute', 'renewal=sometimes', 'renewal_idle=-1', 'server=nowhere'] as $setting) {
	echo (new Php('try {
		$lock = new RedisLock(["name" => "ini_wrong", "renew" => true, "host" => "127.0.0.1", "port" => 1]);
		$_ = $lock->acquire();
	} catch (ValueError | RedisLock\Exception $e) {
		echo get_class($e), ": ", $e->getMessage(), "\n";
	}', ini: ["redislock.$setting"]))->rest();
}
?>
--EXPECT--
ini_set(): ini setting "redislock.server" is not valid: the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name"
ini_set(): ini setting "redislock.server" is not valid: the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
ini_set(): ini setting "redislock.server" is not valid: option "port" must be a whole number from 1 to 65535
ini_set(): ini setting "redislock.server" is not valid: unknown option "pasword", did you mean "password"?
ini_set(): ini setting "redislock.server" is not valid: option "ssl.ciphers" is not supported; see docs/operate/tls.md
ini_set(): ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
ini_set(): ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 0.0001 given
ini_set(): ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 315360001 given
ini_set(): ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
ini_set(): ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ini_set(): ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ini_set(): ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ini_set(): ini setting "redislock.connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ini_set(): ini setting "redislock.io_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
ini_set(): ini setting "redislock.io_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default
taken
taken
taken
taken
ini_set(): ini setting "redislock.renewal_idle" must be a number of seconds from 0 to 86400
ini_set(): ini setting "redislock.renewal_idle" must be a number of seconds from 0 to 86400
ini_set(): ini setting "redislock.renewal_idle" must be a number of seconds from 0 to 86400
taken
taken

Warning: PHP Startup: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given in Unknown on line 0
ValueError: ini setting "redislock.ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given

Warning: PHP Startup: ini setting "redislock.renewal" must be process, thread or off in Unknown on line 0
ValueError: ini setting "redislock.renewal" must be process, thread or off

Warning: PHP Startup: ini setting "redislock.renewal_idle" must be a number of seconds from 0 to 86400 in Unknown on line 0
ValueError: ini setting "redislock.renewal_idle" must be a number of seconds from 0 to 86400

Warning: PHP Startup: ini setting "redislock.server" is not valid: the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name" in Unknown on line 0
ValueError: ini setting "redislock.server" is not valid: the URI must be a server, as "tcp://host:port" and "host:port" are; a lock's name goes into "name"
