--TEST--
Names, tokens and labels that are refused
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'empty name' => ['name' => ''],
	'long name' => ['name' => str_repeat('n', 65536)],
	'helper key' => ['name' => 'a:rlk:signal'],
	'helper key 2' => ['name' => '{a}:rlk:waiters'],
	'helper key 3' => ['name' => ':rlk:fence'],
	'helper key 4' => ['name' => 'a:rlk:turn'],
	'empty token' => ['token' => ''],
	'long token' => ['token' => str_repeat('t', 1025)],
	'long label' => ['label' => str_repeat('l', 65)],
	'label with control character' => ['label' => "a\nb"],
	'on_lost' => ['on_lost' => 'Throw'],
	'NUL in password' => ['password' => "a\0b"],
	'NUL in path' => ['path' => "/a\0b"],
	'relative path' => ['path' => 'a/b'],
	'client_name' => ['client_name' => 'a b'],
	'host' => ['host' => 'redis.example:6379'],
	'host with user' => ['host' => 'user:s3cret@redis.example'],
	'host with blank' => ['host' => ' '],
	'empty host' => ['host' => ''],
	'empty scheme' => ['scheme' => ''],
	'scheme' => ['scheme' => 'http'],
]);
?>
--EXPECT--
empty name: ValueError: option "name" must not be empty
long name: ValueError: option "name" must be at most 65535 bytes long
helper key: ValueError: option "name" must not end in ":rlk:signal", which is reserved for helper keys
helper key 2: ValueError: option "name" must not end in ":rlk:waiters", which is reserved for helper keys
helper key 3: ValueError: option "name" must not end in ":rlk:fence", which is reserved for helper keys
helper key 4: ValueError: option "name" must not end in ":rlk:turn", which is reserved for helper keys
empty token: ValueError: option "token" must not be empty
long token: ValueError: option "token" must be at most 1024 bytes long
long label: ValueError: option "label" must be at most 64 bytes long
label with control character: ValueError: option "label" must not contain control characters
on_lost: ValueError: option "on_lost" must be "throw" or "flag"
NUL in password: ValueError: option "password" must not contain NUL bytes
NUL in path: ValueError: option "path" must not contain NUL bytes
relative path: ValueError: option "path" must be the absolute path of a socket
client_name: ValueError: option "client_name" must be printable ASCII without blanks
host: ValueError: option "host" must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, user or password
host with user: ValueError: option "host" must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, user or password
host with blank: ValueError: option "host" must name a server, and names none; the default server is never used instead
empty host: ValueError: option "host" must name a server, and names none; the default server is never used instead
empty scheme: ValueError: option "scheme" must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
scheme: ValueError: option "scheme" must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
