--TEST--
permits, shared: forceRelease() of one or all, detach() and restore()
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
foreach ([['permits' => 4], ['shared' => true]] as $kind) {
	echo json_encode($kind), "\n";
	$options = $server->options($kind + ['name' => 'holders_force_release']);
	[$a, $b, $c] = [new RedisLock($options), new RedisLock($options), new RedisLock($options)];
	$operator = new RedisLock($server->options(['name' => 'holders_force_release']));
	step('of nobody', $operator->forceRelease(), $a->forceRelease());
	$_ = $a->acquire(); $_ = $b->acquire();
	step('of one', $operator->forceRelease($a->getToken()), $operator->forceRelease($a->getToken()), $a->isAcquired(), $b->isAcquired());
	step('of all, by a plain lock', $a->acquire(), $operator->forceRelease(), $redis('EXISTS', 'holders_force_release'), $a->isAcquired(), $b->isAcquired());
	$_ = $a->acquire(); $_ = $b->acquire();
	step('of all, by one of them', $a->forceRelease(), $redis('EXISTS', 'holders_force_release'), $a->isHeld(), $b->isAcquired());
	$_ = $a->acquire(); $_ = $b->acquire();
	step('of one, by itself', $a->forceRelease($a->getToken()), $redis('ZCARD', 'holders_force_release'), $a->isAcquired(), $b->release());

	$_ = $a->acquire();
	$token = $a->detach();
	step('detached', $a->isHeld(), $redis('ZCARD', 'holders_force_release'));
	$restored = RedisLock::restore($server->options(), 'holders_force_release', $token, $kind);
	step('restored', $restored->remaining(), $restored->isAcquired(), $restored->isHeld(), $restored->keepAlive(20), $restored->release(), $redis('EXISTS', 'holders_force_release'));
	$_ = $a->acquire();
	$restored = RedisLock::restore($server->options(), 'holders_force_release', $a->detach(), $kind + ['renew' => true, 'interval' => 0.1, 'ttl' => 30]);
	step('restored, process-bound', $restored->keepAlive(), $restored->isHeld());
	$before = $redis('ZSCORE', 'holders_force_release', $restored->getToken());
	wait_until(fn () => $redis('ZSCORE', 'holders_force_release', $restored->getToken()) > $before);
	unset($restored);
	step('left', $redis('KEYS', '*'));

	$heavy = new RedisLock($server->options(['name' => 'holders_force_release', 'permits' => 4, 'weight' => 3]));
	$_ = $heavy->acquire();
	$restored = RedisLock::restore($server->options(), 'holders_force_release', $heavy->detach(), $kind);
	step('restored without its weight', $restored->isAcquired(), $restored->release(), $redis('EXISTS', 'holders_force_release'));
}
?>
--EXPECT--
{"permits":4}
of nobody: false, false
of one: true, false, false, true
of all, by a plain lock: true, true, 0, false, false
of all, by one of them: true, 0, false, false
of one, by itself: true, 1, false, true
detached: false, 1
restored: 0.0, true, true, true, true, 0
restored, process-bound: true, true
left: array (
)
restored without its weight: true, true, 0
{"shared":true}
of nobody: false, false
of one: true, false, false, true
of all, by a plain lock: true, true, 0, false, false
of all, by one of them: true, 0, false, false
of one, by itself: true, 1, false, true
detached: false, 1
restored: 0.0, true, true, true, true, 0
restored, process-bound: true, true
left: array (
)
restored without its weight: true, true, 0
