--TEST--
Quorums: spellings of servers, and what is refused
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';

$two = ['tcp://a', 'tcp://b'];
each_configuration([
	'URIs' => ['servers' => ['tcp://a:1', 'redis://u:p@b/2', 'unix:/run/c.sock']],
	'host and port' => ['servers' => ['a:1', 'b']],
	'lists' => ['servers' => [['a', 1, 0.5], ['b', 2], ['c']]],
	'arrays' => ['servers' => [['host' => 'a', 'password' => 'x'], ['url' => 'tcp://b'], ['path' => '/c']]],
	'one' => ['servers' => ['a']],
	'even' => ['servers' => $two, 'password' => 'x', 'timeout' => 1, 'database' => 2],
	'one server twice' => ['servers' => ['a:1', 'b:1', ['host' => 'a', 'port' => 1, 'db' => 2]]],
	'one name in two cases' => ['servers' => ['redis-a:1', 'b:1', 'REDIS-A:1']],
	'one address in two spellings' => ['servers' => ['[::1]:1', 'b:1', '[0:0::1]:1']],
	'one socket twice' => ['servers' => ["unix:/run/\xe9.sock", "unix:/run/\xe9.sock"]],
	'two sockets' => ['servers' => ['unix:/run/a.sock', 'unix:/run/A.sock']],
	'two servers with names that are cut in messages' => ['servers' => [str_repeat('a', 200) . ':1', str_repeat('a', 200) . ':2']],
	'none' => ['servers' => []],
	'not a list' => ['servers' => ['x' => 'a', 'y' => 'b']],
	'33' => ['servers' => array_map(fn ($i) => "h$i", range(1, 33))],
	'a string' => ['servers' => 'a,b'],
	'a number in it' => ['servers' => ['a', 5]],
	'an empty entry' => ['servers' => ['a', '']],
	'four elements' => ['servers' => [['a', 1, 2, 3]]],
	'wrong port' => ['servers' => [['a', 70000]]],
	'unknown option' => ['servers' => [['hots' => 'a']]],
	'lock option inside' => ['servers' => [['host' => 'a', 'ttl' => 5]]],
	'lock option in its URI' => ['servers' => ['tcp://a?ttl=5']],
	'persistent inside' => ['servers' => [['host' => 'a', 'persistent' => true]]],
	'host beside' => ['servers' => $two, 'host' => 'c'],
	'URI beside' => ['servers' => $two, 'url' => 'tcp://c'],
	'token' => ['servers' => $two, 'token' => 'mine'],
	'fence' => ['servers' => $two, 'fence' => true],
	'replicas' => ['servers' => $two, 'min_replicas' => 1],
	'no expiry' => ['servers' => $two, 'ttl' => 0],
	'too short for the margin' => ['servers' => $two, 'ttl' => 0.009],
	'just long enough' => ['servers' => $two, 'ttl' => 0.01],
]);
echo outcome(fn () => new RedisLock('tcp://a?servers=b')), "\n";
echo outcome(fn () => (new RedisLock(['servers' => $two]))->lock('x', 0, ['servers' => $two])), "\n";
echo outcome(fn () => (new RedisLock(['name' => 'two', 'servers' => $two]))->keepAlive(0)), "\n";
echo outcome(fn () => (new RedisLock(['name' => 'two', 'servers' => $two]))->keepAlive(0.002)), "\n";
echo outcome(fn () => (new RedLock($two))->lock('x', 2)), "\n";
echo outcome(fn () => (new RedisLock(['servers' => $two]))->lock('x', 0, ['ttl' => 0.002])), "\n";

echo "RedLock\n";
each_outcome([
	'no servers' => [[]],
	'delay' => [$two, -1],
	'count' => [$two, 1, -1],
	'servers in options' => [$two, 1, 1, ['servers' => $two]],
	'name' => [$two, 1, 1, ['name' => 'x']],
	'ttl' => [$two, 1, 1, ['ttl' => 1]],
	'wait' => [$two, 1, 1, ['wait' => 1]],
	'retry' => [$two, 1, 1, ['retry_ms' => 1]],
	'reentrant' => [$two, 1, 1, ['reentrant' => true]],
	'fence' => [$two, 1, 1, ['fence' => true]],
	'unknown' => [$two, 1, 1, ['prefx' => 'x']],
	'a client' => [[new stdClass]],
	'fine' => [$two, 0, 0, ['prefix' => 'x', 'password' => 'x', 'label' => 'x', 'reentrant' => false]],
], fn ($arguments) => get_class(new RedLock(...$arguments)));
?>
--EXPECT--
URIs: accepted as [60]
host and port: accepted as [60]
lists: accepted as [60]
arrays: accepted as [60]
one: accepted as [60]
even: accepted as [60]
one server twice: ValueError: option "servers" must name independent servers, but has tcp://a:1 twice
one name in two cases: ValueError: option "servers" must name independent servers, but has tcp://REDIS-A:1 twice
one address in two spellings: ValueError: option "servers" must name independent servers, but has tcp://[0:0::1]:1 twice
one socket twice: ValueError: option "servers" must name independent servers, but has unix:///run/\xE9.sock twice
two sockets: accepted as [60]
two servers with names that are cut in messages: accepted as [60]
none: ValueError: option "servers" must be a list of 1 to 32 servers, empty array given
not a list: ValueError: option "servers" must be a list of 1 to 32 servers
33: ValueError: option "servers" must be a list of 1 to 32 servers
a string: TypeError: option "servers" must be a list of servers, string given
a number in it: TypeError: each of the "servers" must be "host:port", a URI, [host, port, timeout] or an array of connection options
an empty entry: ValueError: the address must name a server, and names none; the default server is never used instead
four elements: TypeError: each of the "servers" must be "host:port", a URI, [host, port, timeout] or an array of connection options
wrong port: ValueError: option "port" must be a whole number from 1 to 65535, 70000 given
unknown option: ValueError: unknown option "hots", did you mean "host"?
lock option inside: ValueError: option "ttl" must be given beside the list "servers", not in it
lock option in its URI: ValueError: option "ttl" must be given beside the list "servers", not in it
persistent inside: ValueError: option "persistent" must be given beside the list "servers", not in it
host beside: ValueError: the address of a server must not stand beside the list "servers", but in it
URI beside: ValueError: the address of a server must not stand beside the list "servers", but in it
token: ValueError: option "token" cannot be used with "servers": each try on several needs a fresh one
fence: ValueError: option "fence" cannot be used with "servers": several servers have no common counter
replicas: ValueError: option "min_replicas" cannot be used with "servers", which do not depend on their replicas
no expiry: ValueError: option "ttl" must not be 0 with "servers": it is what clears up after a server that was away
too short for the margin: ValueError: option "ttl" must be at least 0.01 seconds on several servers
just long enough: accepted as [0.01]
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "servers" cannot be given in a URI
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "servers" cannot be given for a single call
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) must be at least 0.01 seconds on several servers
ValueError: RedisLock\RedLock::lock(): Argument #2 ($ttl) must be from 10 to 315360000000 ms, 2 given
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "ttl" must be at least 0.01 seconds on several servers
RedLock
no servers: ValueError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: option "servers" must be a list of 1 to 32 servers, empty array given
delay: ValueError: RedisLock\RedLock::__construct(): Argument #2 ($retryDelay) must be from 0 to 3600000 ms
count: ValueError: RedisLock\RedLock::__construct(): Argument #3 ($retryCount) must be from 0 to 2147483647
servers in options: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "servers" cannot be used with RedLock, which has an argument for it
name: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "name" cannot be used with RedLock, which has an argument for it
ttl: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "ttl" cannot be used with RedLock, which has an argument for it
wait: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "wait" cannot be used with RedLock, which has an argument for it
retry: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "retry_ms" cannot be used with RedLock, which has an argument for it
reentrant: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "reentrant" cannot be used with RedLock: each lock() takes a lock of its own
fence: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "fence" cannot be used with "servers": several servers have no common counter
unknown: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: unknown option "prefx", did you mean "prefix"?
a client: TypeError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: each of the "servers" must be "host:port", a URI, [host, port, timeout] or an array of connection options
fine: 'RedisLock\\RedLock'
