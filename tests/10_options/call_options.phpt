--TEST--
RedisLock::lock(): options of one call are checked as those of the constructor; some cannot be given
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$lock = new RedisLock(['host' => 'nobody.invalid', 'renew' => true]);
foreach ([['ttl' => -1], ['waitTime' => 'x'], ['expiredTime' => NAN], ['frequency' => 0], ['frequncy' => 5],
	['name' => 'b'],
	['prefix' => 'p'], ['host' => 'a'], ['password' => 's3cret'], ['url' => 'tcp://a'], ['sentinels' => []], ['ttl' => 5,
		'interval' => 5],
	['ttl' => 0], ['ttl' => 1, 'expiredTime' => 2], ['servers' => 2], ['a', 'b']] as $config) {
	echo outcome(fn () => $lock->lock('call_options', RedisLock::NONBLOCKED, $config)), "\n";
}
?>
--EXPECT--
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
TypeError: RedisLock::lock(): Argument #3 ($config) is not valid: option "waitTime" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, string given
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "expiredTime" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "frequency" must be a number of milliseconds of at least 1 and at most 315360000000, 0 given
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: unknown option "frequncy", did you mean "frequency"?
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "name" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "prefix" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "host" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "password" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "url" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "sentinels" cannot be given for a single call
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "interval" must be less than the ttl of 5 seconds, 5 given
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "ttl" must be at least 0.002 seconds with "renew"
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: options "ttl" and "expiredTime" contradict each other
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "servers" cannot be given for a single call
TypeError: RedisLock::lock(): Argument #3 ($config) is not valid: the options must be an array with their names as keys, list given; RedisLock\Options::from() of redislock/lock reads it
