--TEST--
Options: a server that is given and empty is refused, and never becomes the default server
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
// Each spelling that an unset variable can leave empty: "", blanks, and where it stands in a list also null and [].
$rows = [];
foreach (['url', 'host', 'hostname', 'path', 'unixSocket', 'unix_socket'] as $key) {
	$rows[$key] = [$key => ''];
}
foreach (['url', 'host', 'path'] as $key) {
	$rows["$key: blank"] = [$key => ' '];
	$rows["$key: control characters"] = [$key => "\t\r\n\0"];
}
$rows['url, beside a port'] = ['url' => '', 'port' => 6380];
$rows['url, beside a scheme'] = ['url' => '', 'scheme' => 'tcp'];
foreach (['servers' => [], 'sentinels' => ['service' => 'm'], 'cluster' => []] as $list => $beside) {
	foreach (['string' => '', 'blank' => ' ', 'null' => null, 'array' => [], 'url' => ['url' => ''], 'host' => ['host' => ''],
		'host null' => ['host' => null], 'port alone' => ['port' => 6380], 'triple' => ['', 6380],
		'triple of null' => [null, 6380]] as $what => $entry) {
		$rows["$list: $what"] = $beside + [$list => ['a', $entry]];
	}
}
each_configuration($rows);

echo "\n";
each_outcome([
	'URI' => fn () => new RedisLock(''),
	'URI, blank' => fn () => new RedisLock("\n"),
	'URI of unset variables' => fn () => new RedisLock('redis://:6379/0'),
	'RedLock' => fn () => new RedLock(['a', '']),
	'RedLock, url' => fn () => new RedLock([['url' => '']]),
	'restore()' => fn () => RedisLock::restore(['url' => ''], 'a', 'token'),
	'restore(), URI' => fn () => RedisLock::restore('', 'a', 'token'),
	'execute()' => fn () => SequenceTask::execute(['name' => 'a', 'url' => ''], fn () => 1),
	'second argument' => fn () => new RedisLock(['name' => 'a'], ['url' => '']),
], fn ($code) => $code());

echo "\n";
each_configuration([
	'url, beside a host' => ['url' => '', 'host' => 'a'],
	'service, beside a host' => ['service' => '', 'host' => 'a'],
	'null is absent' => ['url' => null, 'host' => null, 'path' => null],
]);
?>
--EXPECT--
url: ValueError: option "url" must name a server, and names none; the default server is never used instead
host: ValueError: option "host" must name a server, and names none; the default server is never used instead
hostname: ValueError: option "hostname" must name a server, and names none; the default server is never used instead
path: ValueError: option "path" must name a server, and names none; the default server is never used instead
unixSocket: ValueError: option "unixSocket" must name a server, and names none; the default server is never used instead
unix_socket: ValueError: option "unix_socket" must name a server, and names none; the default server is never used instead
url: blank: ValueError: option "url" must name a server, and names none; the default server is never used instead
url: control characters: ValueError: option "url" must name a server, and names none; the default server is never used instead
host: blank: ValueError: option "host" must name a server, and names none; the default server is never used instead
host: control characters: ValueError: option "host" must not contain NUL bytes
path: blank: ValueError: option "path" must name a server, and names none; the default server is never used instead
path: control characters: ValueError: option "path" must name a server, and names none; the default server is never used instead
url, beside a port: ValueError: option "url" must name a server, and names none; the default server is never used instead
url, beside a scheme: ValueError: option "url" must name a server, and names none; the default server is never used instead
servers: string: ValueError: the address must name a server, and names none; the default server is never used instead
servers: blank: ValueError: the address must name a server, and names none; the default server is never used instead
servers: null: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: array: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: url: ValueError: the address must name a server, and names none; the default server is never used instead
servers: host: ValueError: option "host" must name a server, and names none; the default server is never used instead
servers: host null: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: port alone: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
servers: triple: ValueError: option "host" must name a server, and names none; the default server is never used instead
servers: triple of null: ValueError: each of the "servers" must name a server, and names none; the default server is never used instead
sentinels: string: ValueError: the address must name a server, and names none; the default server is never used instead
sentinels: blank: ValueError: the address must name a server, and names none; the default server is never used instead
sentinels: null: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: array: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: url: ValueError: the address must name a server, and names none; the default server is never used instead
sentinels: host: ValueError: option "host" must name a server, and names none; the default server is never used instead
sentinels: host null: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: port alone: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
sentinels: triple: ValueError: option "host" must name a server, and names none; the default server is never used instead
sentinels: triple of null: ValueError: each of the sentinels must name a server, and names none; the default server is never used instead
cluster: string: ValueError: the address must name a server, and names none; the default server is never used instead
cluster: blank: ValueError: the address must name a server, and names none; the default server is never used instead
cluster: null: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: array: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: url: ValueError: the address must name a server, and names none; the default server is never used instead
cluster: host: ValueError: option "host" must name a server, and names none; the default server is never used instead
cluster: host null: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: port alone: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead
cluster: triple: ValueError: option "host" must name a server, and names none; the default server is never used instead
cluster: triple of null: ValueError: each of the Cluster nodes must name a server, and names none; the default server is never used instead

URI: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the URI must name a server, and names none; the default server is never used instead
URI, blank: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the URI must name a server, and names none; the default server is never used instead
URI of unset variables: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the URI must name a host; a socket is "unix:/run/redis.sock"; the default server is never used instead
RedLock: ValueError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: the address must name a server, and names none; the default server is never used instead
RedLock, url: ValueError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: the address must name a server, and names none; the default server is never used instead
restore(): ValueError: RedisLock::restore(): Argument #1 ($params) is not valid: option "url" must name a server, and names none; the default server is never used instead
restore(), URI: ValueError: RedisLock::restore(): Argument #1 ($params) is not valid: the URI must name a server, and names none; the default server is never used instead
execute(): ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: option "url" must name a server, and names none; the default server is never used instead
second argument: ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "url" must name a server, and names none; the default server is never used instead

url, beside a host: ValueError: option "url" must name a server, and names none; the default server is never used instead
service, beside a host: accepted as [60]
null is absent: accepted as [60]
