--TEST--
RedisLock::setPoller(): no object enters a reentrant lock again that another fiber is releasing
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
foreach (['a lease' => false, 'process-bound' => true] as $kind => $renew) {
	foreach (['release', 'forceRelease'] as $method) {
		[$lock, $other] = array_map(fn () => new RedisLock($server->options(['name' => 'entered_amid_release', 'reentrant' => true,
			'renew' => $renew, 'ttl' => 60, 'on_lost' => 'flag'])), [1, 2]);
		/* The server gets to know the script. */
		$lock->acquire() && $lock->$method();
		$_ = $lock->acquire();
		$server->freeze();
		$loop->start(function () use ($lock, $method, &$released) {
			$released = $lock->$method();
		});
		$server->thaw();
		/* The request has been executed, but the fiber has not heard of that. */
		wait_until(fn () => $redis('EXISTS', 'entered_amid_release') === 0);
		$acquired = $other->acquire() && $redis('GET', 'entered_amid_release') === $other->getToken();
		$loop->run();
		/* Whether forceRelease() has deleted the second lock, too, is not known. */
		step("$kind, $method", $released, $acquired, $other->isHeld());
		$other->forceRelease();
	}
}
?>
--EXPECT--
a lease, release: true, true, true
a lease, forceRelease: true, true, false
process-bound, release: true, true, true
process-bound, forceRelease: true, true, false
