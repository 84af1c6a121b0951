--TEST--
RedisLock::setPoller(): a fiber that is in a reentrant lock does not enter it by an object with which another one waits for it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
[$inside, $waiting] = array_map(fn () => new RedisLock($server->options(['name' => 'in_use_reentrant', 'reentrant' => true, 'ttl' => 60, 'wait' => 60])), [1, 2]);

$loop->start(function () use ($loop, $inside, $waiting, $redis, &$waited) {
	step('inside', $inside->acquire());
	$loop->start(function () use ($waiting, &$waited) {
		$waited = [$waiting->acquire(), $waiting->isHeld(), $waiting->release()];
	});
	while ($redis('EXISTS', '{in_use_reentrant}:rlk:waiters') === 0) {
		$loop->sleep(0.001);
	}
	try {
		step('entered', $waiting->acquire());
	} catch (LogicException $e) {
		echo $e->getMessage(), "\n";
	}
	step('the one inside', $inside->isHeld(), $inside->release());
});
$loop->run();
step('the one that waited', ...$waited);
step('left', $redis('GET', 'in_use_reentrant'));
?>
--EXPECT--
inside: true
lock "in_use_reentrant" is in use by another fiber, or by the call that this signal handler interrupts
the one inside: true, true
the one that waited: true, true, true
left: NULL
