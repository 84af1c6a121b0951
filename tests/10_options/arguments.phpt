--TEST--
Arguments of methods out of range are errors that name them, before anything is sent
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$lock = new RedisLock(['host' => 'nobody.invalid', 'name' => 'a']);
foreach ([
	['acquire', -1], ['acquire', -0.001], ['acquire', NAN], ['acquire', 315360001], ['acquire', 0.0001], ['acquire',
		'x'], ['acquire', true], ['acquire', false], ['keepAlive', true],
	['keepAlive', -1], ['keepAlive', NAN], ['keepAlive', INF], ['keepAlive', 315360001], ['keepAlive', 0.0001],
		['keepAlive', []],
	['lock', ''], ['lock', 'a:rlk:fence'], ['lock', str_repeat('a', 65536)], ['lock', 'a', 2], ['lock', 'a', -1],
		['lock', 'a', 'x'],
	['lock', 'a', 0, 5], ['lock'], ['unlock'], ['synchronized', 'no_such_function'], ['synchronized', fn ($a, $b) => 1],
	['newToken', str_repeat('l', 65)], ['newToken', "\t"], ['newToken', []], ['release', 1],
] as $call) {
	$name = array_shift($call);
	echo outcome(fn () => $lock->$name(...$call)), "\n";
}
foreach ([[[], '', 't'], [[], 'a', ''], [[], 'a', str_repeat('t', 1025)], [[], 'a:rlk:signal', 't'], [5, 'a', 't'],
	[['ttl' => -1], 'a', 't'],
	['http://a', 'a', 't'], ['unix:/x', 'a', 't', ['tll' => 5]]] as $arguments) {
	echo outcome(fn () => RedisLock::restore(...$arguments)), "\n";
}
foreach ([['renew' => true], ['fence' => true], ['hold_at_least' => 1]] as $params) {
	echo outcome(fn () => (new RedisLock($params + ['name' => 'a']))->keepAlive(0)), "\n";
}
?>
--EXPECT--
ValueError: RedisLock::acquire(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -1 given
ValueError: RedisLock::acquire(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -0.001 given
ValueError: RedisLock::acquire(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, NAN given
ValueError: RedisLock::acquire(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, 315360001 given
ValueError: RedisLock::acquire(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, 0.0001 given
TypeError: RedisLock::acquire(): Argument #1 ($wait) must be of type ?float, string given
TypeError: RedisLock::acquire(): Argument #1 ($wait) must be of type ?float, bool given; INF waits without limit, 0 is one try
TypeError: RedisLock::acquire(): Argument #1 ($wait) must be of type ?float, bool given; INF waits without limit, 0 is one try
TypeError: RedisLock::keepAlive(): Argument #1 ($ttl) must be of type ?float, bool given; the ttl is in seconds
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, INF given
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, 315360001 given
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, 0.0001 given
TypeError: RedisLock::keepAlive(): Argument #1 ($ttl) must be of type ?float, array given
ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must not be empty
ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must not end in ":rlk:fence", which is reserved for helper keys
ValueError: RedisLock::lock(): Argument #1 ($name) is not valid: it must be at most 65535 bytes long
ValueError: RedisLock::lock(): Argument #2 ($policy) must be RedisLock::NONBLOCKED or RedisLock::BLOCKED
ValueError: RedisLock::lock(): Argument #2 ($policy) must be RedisLock::NONBLOCKED or RedisLock::BLOCKED
TypeError: RedisLock::lock(): Argument #2 ($policy) must be of type int, string given
TypeError: RedisLock::lock(): Argument #3 ($config) must be of type array, int given
ArgumentCountError: RedisLock::lock() expects at least 1 argument, 0 given
ArgumentCountError: RedisLock::unlock() expects exactly 1 argument, 0 given
TypeError: RedisLock::synchronized(): Argument #1 ($code) must be a valid callback, function "no_such_function" not found or invalid function name
ValueError: RedisLock::synchronized(): Argument #1 ($code) must require at most one parameter (the lock), 2 are required
ValueError: RedisLock::newToken(): Argument #1 ($label) is not valid: it must be at most 64 bytes long
ValueError: RedisLock::newToken(): Argument #1 ($label) is not valid: it must not contain control characters
TypeError: RedisLock::newToken(): Argument #1 ($label) must be of type ?string, array given
ArgumentCountError: RedisLock::release() expects exactly 0 arguments, 1 given
ValueError: RedisLock::restore(): Argument #2 ($name) is not valid: it must not be empty
ValueError: RedisLock::restore(): Argument #3 ($token) is not valid: it must not be empty
ValueError: RedisLock::restore(): Argument #3 ($token) is not valid: it must be at most 1024 bytes long
ValueError: RedisLock::restore(): Argument #2 ($name) is not valid: it must not end in ":rlk:signal", which is reserved for helper keys
TypeError: RedisLock::restore(): Argument #1 ($params) must be of type array|string, int given
ValueError: RedisLock::restore(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
ValueError: RedisLock::restore(): Argument #1 ($params) is not valid: the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys
ValueError: RedisLock::restore(): Argument #4 ($options) is not valid: unknown option "tll", did you mean "ttl"?
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
