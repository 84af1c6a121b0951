--TEST--
Unknown options are refused, with the nearest one that exists
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	['pasword' => 's3cret'],
	['hots' => 'redis.example'],
	['Ttl' => 5],
	['tll' => 5],
	['expired_time' => 5],
	['wiat' => 5],
	['read_timout' => 1],
	['unixsocket' => '/nowhere'],
	['reentrent' => true],
	['completely_different' => 1],
	["na\0me" => 1],
	['' => 1],
	['name' => 'a', 0 => 'b'],
	// What clients nest, or have for something else.
	['options' => ['prefix' => 'p', 'anything' => 'else']],
	'Laravel, its section' => ['client' => 'phpredis', 'default' => ['host' => 'a']],
	'Laravel, another connection' => ['locks' => ['host' => 'a']],
	'phpredis' => ['context' => ['stream' => ['verify_peer' => false]]],
	'Symfony' => ['redis_sentinel' => 'm'],
	'Laravel' => ['seconds' => 300],
	'ms' => ['retry' => 50],
	'Predis' => ['retry' => new ArrayObject],
	'Predis, in a list' => ['cluster' => [['host' => 'a', 'retry' => new ArrayObject]]],
]);
each_outcome([
	'lock()' => fn () => (new RedisLock)->lock('a', RedisLock::NONBLOCKED, ['seconds' => 300]),
	'RedLock' => fn () => new RedLock(['a'], options: ['seconds' => 300]),
	'SequenceTask' => fn () => SequenceTask::execute(['name' => 'a', 'ttl' => 5, 'seconds' => 3], fn () => null),
], fn (callable $code) => $code());
?>
--EXPECT--
0: ValueError: unknown option "pasword", did you mean "password"?
1: ValueError: unknown option "hots", did you mean "host"?
2: ValueError: unknown option "Ttl", did you mean "ttl"?
3: ValueError: unknown option "tll", did you mean "ttl"?
4: ValueError: unknown option "expired_time", did you mean "expiredTime"?
5: ValueError: unknown option "wiat", did you mean "wait"?
6: ValueError: unknown option "read_timout", did you mean "read_timeout"?
7: ValueError: unknown option "unixsocket", did you mean "unixSocket"?
8: ValueError: unknown option "reentrent", did you mean "reentrant"?
9: ValueError: unknown option "completely_different"
10: ValueError: unknown option "na\x00me", did you mean "name"?
11: ValueError: unknown option ""
12: ValueError: unknown option "0"
13: ValueError: unknown option "options"; RedisLock\Options::from() of redislock/lock reads it
Laravel, its section: ValueError: unknown option "default"; RedisLock\Options::from() of redislock/lock reads it
Laravel, another connection: ValueError: unknown option "locks"; RedisLock\Options::from() of redislock/lock reads it
phpredis: ValueError: unknown option "context"; RedisLock\Options::from() of redislock/lock reads it
Symfony: ValueError: unknown option "redis_sentinel", did you mean "service"?
Laravel: ValueError: unknown option "seconds", did you mean "ttl", in seconds?
ms: ValueError: unknown option "retry", did you mean "retry_ms"?
Predis: ValueError: unknown option "retry", did you mean "retry_ms"?
Predis, in a list: ValueError: unknown option "retry", did you mean "retry_ms"?
lock(): ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: unknown option "seconds", did you mean "ttl", in seconds?
RedLock: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: unknown option "seconds", did you mean "ttl", in seconds?
SequenceTask: ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: unknown option "seconds", did you mean "ttl", in seconds?
