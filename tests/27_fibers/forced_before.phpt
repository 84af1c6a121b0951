--TEST--
RedisLock::setPoller(): a reentrant lock that is acquired while another fiber waits for the answer to forceRelease()
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
$redis = $server->client();
/* A fiber waits until the test resumes it. */
RedisLock::setPoller(function (array $read) use (&$streams) {
	$streams = $read;
	Fiber::suspend();
});
$operator = new RedisLock($server->options(['name' => 'forced_before']));
$operator->forceRelease(); /* it has a connection, and the server knows the script */
foreach (['a lease' => false, 'process-bound' => true] as $name => $renew) {
	$lock = new RedisLock($server->options(['name' => 'forced_before', 'ttl' => 60, 'reentrant' => true, 'renew' => $renew, 'on_lost' => 'flag']));
	foreach (['nobody', 'another'] as $holder) {
		if ($holder === 'another') {
			$redis('SET', 'forced_before', 'another');
		}
		$force = new Fiber($operator->forceRelease(...));
		$server->freeze();
		$force->start();
		$server->thaw();
		stream_select($streams, $none, $none, 10);
		step("$name, acquired", $lock->acquire(), $lock->isHeld());
		$force->resume();
		step("$name, $holder had it", $force->getReturn(), $lock->isHeld());
		/* It may have been this lock that was forced. */
		step("$name, left", $lock->release(), comes_true(fn () => $redis('EXISTS', 'forced_before') === 0));
	}
}
?>
--EXPECT--
a lease, acquired: true, true
a lease, nobody had it: false, true
a lease, left: true, true
a lease, acquired: true, true
a lease, another had it: true, false
a lease, left: true, true
process-bound, acquired: true, true
process-bound, nobody had it: false, true
process-bound, left: true, true
process-bound, acquired: true, true
process-bound, another had it: true, false
process-bound, left: false, true
