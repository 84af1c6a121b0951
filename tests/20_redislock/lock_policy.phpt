--TEST--
RedisLock::lock(), unlock(): one try or a wait, with the names of the articles
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options());
var_dump($lock->lock('lock_policy'), $lock->unlock('lock_policy'), $lock->unlock('lock_policy'), $redis('DBSIZE'));

$redis('SET', 'lock_policy', 'other');
/* What it gives, and when it began. */
function timed(callable $code): array
{
	$start = now();
	return [$code(), $start];
}
[$got, $start] = timed(fn () => $lock->lock('lock_policy', RedisLock::NONBLOCKED, ['waitTime' => 5]));
var_dump($got);
expect_taken('NONBLOCKED', $start, 0, 4);
[$got, $start] = timed(fn () => $lock->lock('lock_policy', RedisLock::BLOCKED, ['waitTime' => 0.3, 'frequency' => 20]));
var_dump($got);
expect_taken('waitTime', $start, 0.299, 3);
foreach (['waitTime', 'wait'] as $key) {
	[$got, $start] = timed(fn () => $lock->lock('lock_policy', RedisLock::BLOCKED, [$key => 0]));
	var_dump($got);
	expect_taken("$key 0", $start, 0, 4);
}
$waits = new RedisLock($server->options(['wait' => 1]));
[$got, $start] = timed(fn () => $waits->lock('lock_policy', RedisLock::BLOCKED));
var_dump($got);
expect_taken('option wait', $start, 0.999, 4);
[$got, $start] = timed(fn () => $waits->lock('lock_policy', RedisLock::BLOCKED, ['waitTime' => 0]));
var_dump($got);
expect_taken('waitTime 0', $start, 0, 0.95);
[$got, $start] = timed(fn () => $waits->lock('lock_policy'));
var_dump($got);
expect_taken('NONBLOCKED', $start, 0, 0.95);

/* Got within the wait, with a ttl of its own. */
$redis('PEXPIRE', 'lock_policy', '100');
var_dump($lock->lock('lock_policy', RedisLock::BLOCKED, ['waitTime' => 20, 'expiredTime' => 7, 'frequency' => 10]));
expect_between('PTTL', $redis('PTTL', 'lock_policy'), 1, 7000);
var_dump($lock->unlock('lock_policy'));
?>
--EXPECT--
bool(true)
bool(true)
bool(false)
int(0)
bool(false)
NONBLOCKED: ok
bool(false)
waitTime: ok
bool(false)
waitTime 0: ok
bool(false)
wait 0: ok
bool(false)
option wait: ok
bool(false)
waitTime 0: ok
bool(false)
NONBLOCKED: ok
bool(true)
PTTL: ok
bool(true)
