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
	['options' => ['prefix' => 'p', 'anything' => 'else']],
	// Keys that clients have for something else. `seconds` is an alias with SequenceTask alone.
	'Laravel' => ['seconds' => 300],
	'Laravel, process-bound' => ['seconds' => 300, 'renew' => true],
	'ms' => ['retry' => 50],
	'Predis' => ['retry' => new ArrayObject],
	'Predis, in a list' => ['cluster' => [['host' => 'a', 'retry' => new ArrayObject]]],
	'Predis, defaults' => ['options' => ['parameters' => ['host' => 'a', 'retry' => new ArrayObject]]],
]);
each_outcome([
	'lock()' => fn () => (new RedisLock)->lock('a', RedisLock::NONBLOCKED, ['seconds' => 300]),
	'RedLock' => fn () => new RedLock(['a'], options: ['seconds' => 300]),
	'SequenceTask' => fn () => SequenceTask::execute(['name' => 'a', 'ttl' => 5, 'seconds' => 6], fn () => null),
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
13: accepted as [60]
Laravel: ValueError: unknown option "seconds"; the time to live is "ttl", the time between two renewals "interval", in seconds
Laravel, process-bound: ValueError: unknown option "seconds"; the time to live is "ttl", the time between two renewals "interval", in seconds
ms: ValueError: unknown option "retry"; the pause between two tries is "retry_ms"
Predis: accepted as [60]
Predis, in a list: accepted as [60]
Predis, defaults: accepted as [60]
lock(): ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: unknown option "seconds"; the time to live is "ttl", the time between two renewals "interval", in seconds
RedLock: ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: unknown option "seconds"; the time to live is "ttl", the time between two renewals "interval", in seconds
SequenceTask: ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: option "seconds" must be less than the ttl of 5 seconds, 6 given
