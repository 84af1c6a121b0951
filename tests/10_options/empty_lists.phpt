--TEST--
Options: an empty list of servers is refused, and never becomes the default server
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$rows = [];
foreach (['servers', 'sentinels', 'cluster'] as $key) {
	foreach (['list' => [], 'string' => '', 'list in it' => [[]], 'null in it' => [null]] as $what => $value) {
		$rows["$key: $what"] = [$key => $value, 'service' => $key === 'sentinels' ? 'm' : null];
	}
	$rows["$key: beside an address"] = [$key => [], 'host' => 'a', 'service' => $key === 'sentinels' ? 'm' : null];
	$rows["$key: absent"] = [$key => null];
}
$rows['sentinels: no service'] = ['sentinels' => []];
$rows['cluster: no'] = ['cluster' => false];
$rows['cluster: no, by environment'] = ['cluster' => '0'];
$rows['both'] = ['sentinels' => [], 'cluster' => ['a:7000']];
each_configuration(array_map(fn ($row) => ['name' => 'n'] + $row, $rows));

echo "\n";
each_outcome([
	'second argument' => fn () => new RedisLock(['host' => 'a'], ['cluster' => []]),
	'RedLock' => fn () => new RedLock([]),
	'restore()' => fn () => RedisLock::restore(['servers' => ''], 'a', 'token'),
	'execute()' => fn () => SequenceTask::execute(['name' => 'a', 'sentinels' => ''], fn () => 1),
	'nothing in a URI' => fn () => new RedisLock('redis://a?sentinels='),
], fn ($code) => $code());

echo "\n";
ini_set('redislock.server', '');
each_configuration([
	'php.ini names none' => ['name' => 'n'],
	'nor do time limits' => ['name' => 'n', 'timeout' => 1, 'database' => 2],
	'nor does an empty url' => ['name' => 'n', 'url' => ''],
	'a host' => ['name' => 'n', 'host' => 'a'],
	'a port' => ['name' => 'n', 'port' => 6380],
	'a socket' => ['name' => 'n', 'path' => '/a'],
	'a url' => ['name' => 'n', 'url' => 'redis://a'],
	'servers' => ['name' => 'n', 'servers' => ['a']],
	'sentinels' => ['name' => 'n', 'sentinels' => ['a'], 'service' => 'm'],
	'a Cluster' => ['name' => 'n', 'cluster' => ['a']],
]);
--EXPECT--
servers: list: ValueError: option "servers" must be a list of 1 to 32 servers, empty array given
servers: string: ValueError: option "servers" must be a list of 1 to 32 servers, empty string given
servers: list in it: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: null in it: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: beside an address: ValueError: option "servers" must be a list of 1 to 32 servers, empty array given
servers: absent: accepted as n[60]
sentinels: list: ValueError: option "sentinels" must be a list of 1 to 64 servers, empty array given
sentinels: string: ValueError: option "sentinels" must be a list of 1 to 64 servers, empty string given
sentinels: list in it: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: null in it: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: beside an address: ValueError: option "sentinels" must be a list of 1 to 64 servers, empty array given
sentinels: absent: accepted as n[60]
cluster: list: ValueError: option "cluster" must be a list of 1 to 64 servers, or true or false, empty array given
cluster: string: ValueError: option "cluster" must be a list of 1 to 64 servers, or true or false, empty string given
cluster: list in it: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: null in it: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: beside an address: ValueError: option "cluster" must be a list of 1 to 64 servers, or true or false, empty array given
cluster: absent: accepted as n[60]
sentinels: no service: ValueError: option "sentinels" must be a list of 1 to 64 servers, empty array given
cluster: no: accepted as n[60]
cluster: no, by environment: accepted as n[60]
both: ValueError: option "sentinels" must be a list of 1 to 64 servers, empty array given

second argument: ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "cluster" must be a list of 1 to 64 servers, or true or false, empty array given
RedLock: ValueError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: option "servers" must be a list of 1 to 32 servers, empty array given
restore(): ValueError: RedisLock::restore(): Argument #1 ($params) is not valid: option "servers" must be a list of 1 to 32 servers, empty string given
execute(): ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: option "sentinels" must be a list of 1 to 64 servers, empty string given
nothing in a URI: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "sentinels" cannot be given in a URI

php.ini names none: ValueError: option "host" must name the server, since ini setting "redislock.server" is empty
nor do time limits: ValueError: option "host" must name the server, since ini setting "redislock.server" is empty
nor does an empty url: ValueError: option "url" must name a server, and names none; the default server is never used instead
a host: accepted as n[60]
a port: accepted as n[60]
a socket: accepted as n[60]
a url: accepted as n[60]
servers: accepted as n[60]
sentinels: accepted as n[60]
a Cluster: accepted as n[60]
