--TEST--
RedisLock::synchronized(): runs under the object's own lock, subclasses and leases included
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();

class Job extends RedisLock
{
	public int $runs = 0;
}

$lease = new RedisLock($s->options(['name' => 'synchronized', 'ttl' => 30]));
var_dump($lease->synchronized(function (RedisLock $lock) use ($lease, $redis) {
	return [$lock === $lease, $lock->isHeld(), $redis('GET', 'synchronized') === $lock->getToken()];
}) === [true, true, true], $lease->isHeld(), $redis('EXISTS', 'synchronized'));

/* Process-bound for the run only: it is a lease again afterwards. */
var_dump($lease->acquire());
unset($lease);
var_dump($redis('DEL', 'synchronized'));

$job = new Job($s->options(['name' => 'synchronized']));
var_dump($job->synchronized(fn (Job $job) => ++$job->runs), $job->synchronized(fn (Job $job) => ++$job->runs));

$redis('SET', 'synchronized', 'somebody');
try {
	with_holder(fn () => $job->synchronized(fn () => print("must not run\n")));
} catch (RedisLock\NotAcquiredException $e) {
	echo $e->getMessage(), "\n";
}
$redis('DEL', 'synchronized');
try {
	$job->synchronized(fn () => throw new DomainException('passes'));
} catch (DomainException $e) {
	echo $e->getMessage(), ' ', $redis('EXISTS', 'synchronized'), "\n";
}
try {
	$job->synchronized(fn (Job $job) => $job->synchronized('time'));
} catch (LogicException $e) {
	echo get_class($e), ': ', $e->getMessage(), ' ', $redis('EXISTS', 'synchronized'), "\n";
}
try {
	$job->synchronized(fn ($one, $two) => 0);
} catch (ValueError $e) {
	echo $e->getMessage(), "\n";
}
--EXPECT--
bool(true)
bool(false)
int(0)
bool(true)
int(1)
int(1)
int(2)
lock "synchronized": held by somebody else, without expiry
passes 0
LogicException: lock "synchronized" is already held by this object 0
RedisLock::synchronized(): Argument #1 ($code) must require at most one parameter (the lock), 2 are required
