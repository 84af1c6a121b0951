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
]);
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
