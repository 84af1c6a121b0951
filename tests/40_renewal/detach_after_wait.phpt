--TEST--
RedisLock::detach(): a lock that was waited for is given away with its whole ttl, or not at all
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';

$s = new Server(false, ...UNTRACKED);
$redis = $s->client();
$name = 'detach_after_wait';
$pttl = fn () => $redis('PTTL', $name);
$waited_for = function (array $options) use ($s, $redis, $name) {
	$redis('SET', $name, 'of others', 'PX', 100);
	$lock = new RedisLock($s->options($options + ['name' => $name, 'ttl' => 30, 'read_timeout' => 0.2]));
	return $lock->acquire(10) ? $lock : throw new AssertionError('not acquired');
};
$detach = function (RedisLock $lock) {
	try {
		return strlen($lock->detach()) > 0;
	} catch (RedisLock\Exception $e) {
		return get_class($e) . ': ' . strtok($e->getMessage(), '(');
	}
};

$kinds = [
	'bound' => ['renew' => true],
	'bound, ends before its provisional ttl' => ['renew' => true, 'max_hold' => 1.5],
	'lease' => ['renew' => false],
];
foreach ($kinds as $kind => $options) {
	echo "$kind\n";
	[$detached, $left] = unless_stalled(function () use ($redis, $name, $pttl, $options, $waited_for, $detach) {
		$redis('DEL', $name);
		$lock = $waited_for($options);
		return [[$detach($lock), $lock->isHeld()], $pttl()];
	}, fn (array $came) => $came[0] === [true, false]);
	var_dump(...$detached);
	expect_between('PTTL', $left, 20000, 30000);
	$redis('DEL', $name);
}

echo "extended since: nothing is left to do\n";
$lock = $waited_for(['renew' => true]);
var_dump($lock->keepAlive(20));
$redis('PEXPIRE', $name, 15000);
var_dump($detach($lock));
expect_between('PTTL', $pttl(), 10000, 15000);
$redis('DEL', $name);

echo "gone already\n";
$lock = $waited_for(['renew' => true]);
$redis('DEL', $name);
var_dump($detach($lock), $lock->isHeld(), $lock->release(), $lock->acquire(), $lock->release());

echo "no answer: still held, and given away later\n";
/* Within the provisional ttl. */
[$said, $then, $left] = unless_stalled(function () use ($s, $redis, $name, $pttl, $waited_for, $detach) {
	$redis('DEL', $name);
	$lock = $waited_for(['renew' => true]);
	$s->freeze();
	$said = $detach($lock);
	$s->thaw();
	return [$said, [$lock->isHeld(), $detach($lock), $lock->isHeld()], $pttl()];
}, fn (array $came) => $came[1] === [true, true, false]);
echo $said, "\n";
var_dump(...$then);
expect_between('PTTL', $left, 20000, 30000);
--EXPECT--
bound
bool(true)
bool(false)
PTTL: ok
bound, ends before its provisional ttl
bool(true)
bool(false)
PTTL: ok
lease
bool(true)
bool(false)
PTTL: ok
extended since: nothing is left to do
bool(true)
bool(true)
PTTL: ok
gone already
string(104) "RedisLock\LockLostException: lock "detach_after_wait" was lost: its key was deleted or has another owner"
bool(false)
bool(false)
bool(true)
bool(true)
no answer: still held, and given away later
RedisLock\ConnectionException: lock "detach_after_wait": the server did not answer in time 
bool(true)
bool(true)
bool(false)
PTTL: ok
