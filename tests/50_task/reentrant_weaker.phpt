--TEST--
reentrant: who asks for more than the lock was acquired with is refused, and nobody leaves
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$options = fn (array $more = []) => $s->options($more + ['name' => 'reentrant_weaker', 'reentrant' => true]);
function outcome(callable $f): string
{
	try {
		return json_encode($f());
	} catch (LogicException $e) {
		return $e->getMessage();
	}
}

/* A lease: whoever runs under it would outlive it, and nobody would say so. */
$lease = new RedisLock($options(['ttl' => 20]));
$_ = $lease->acquire();
echo outcome(fn () => SequenceTask::execute($options(), fn () => print("must not run\n"))), "\n";
echo outcome(fn () => $lease->synchronized(fn () => print("must not run\n"))), "\n";
echo outcome(fn () => $lease->lock('reentrant_weaker', RedisLock::NONBLOCKED, ['renew' => true])), "\n";
echo outcome(fn () => (new RedisLock($options(['min_replicas' => 1])))->acquire()), "\n";
echo outcome(fn () => (new RedisLock($options(['hold_at_least' => 1])))->acquire()), "\n";
/* What means nothing for a lease does not keep one out. */
foreach (['max_hold' => 60, 'linger' => 2, 'on_lost' => 'throw'] as $option => $value) {
	$again = new RedisLock($options([$option => $value]));
	echo "lease with $option: ", outcome(fn () => $again->acquire() && $again->release()), "\n";
}
$fence = new RedisLock($options(['fence' => true]));
echo outcome(fn () => $fence->acquire()), "\n";
var_dump($lease->isHeld(), $fence->isHeld(), $lease->release(), $redis('EXISTS', 'reentrant_weaker'));

/* As much, or less, is nothing to complain about. */
$all = ['hold_at_least' => 0.001, 'linger' => 1, 'fence' => true];
echo SequenceTask::execute($options($all), function (RedisLock $outer) use ($options, $all) {
	var_dump(SequenceTask::execute($options($all), fn (RedisLock $inner) => $inner->getFence() === $outer->getFence()));
	echo outcome(fn () => SequenceTask::execute($options(['linger' => 2]), 'time')), "\n";
	$lease = new RedisLock($options(['linger' => 2, 'max_hold' => 60]));
	echo outcome(fn () => $lease->acquire() && $lease->release()), "\n";
	echo outcome(fn () => SequenceTask::execute($options(['max_hold' => 60]), 'time')), "\n";
	return SequenceTask::execute($options(), fn () => $outer->synchronized(fn () => 'all entered'));
}), "\n";
wait_until(fn () => $redis('EXISTS', 'reentrant_weaker') === 0);

/* A lock whose loss nobody is told of. */
$flag = ['on_lost' => 'flag', 'max_hold' => 60];
echo SequenceTask::execute($options($flag), function (RedisLock $outer) use ($options, $flag) {
	echo outcome(fn () => SequenceTask::execute($options(['max_hold' => 60]), 'time')), "\n";
	return SequenceTask::execute($options(['max_hold' => 70] + $flag), fn () => 'flag entered');
}), "\n";
--EXPECT--
lock "reentrant_weaker" was acquired without the "renew" asked for now, so it cannot be entered again
lock "reentrant_weaker" was acquired without the "renew" asked for now, so it cannot be entered again
lock "reentrant_weaker" was acquired without the "renew" asked for now, so it cannot be entered again
lock "reentrant_weaker" was acquired without the "min_replicas" asked for now, so it cannot be entered again
lock "reentrant_weaker" was acquired without the "hold_at_least" asked for now, so it cannot be entered again
lease with max_hold: true
lease with linger: true
lease with on_lost: true
lock "reentrant_weaker" was acquired without the "fence" asked for now, so it cannot be entered again
bool(true)
bool(false)
bool(true)
int(0)
bool(true)
lock "reentrant_weaker" was acquired without the "linger" asked for now, so it cannot be entered again
true
lock "reentrant_weaker" was acquired without the "max_hold" asked for now, so it cannot be entered again
all entered
lock "reentrant_weaker" was acquired without the "on_lost" asked for now, so it cannot be entered again
flag entered
