--TEST--
process-bound locks: in a forked copy they are nobody's, the parent is not disturbed
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'forked', 'ttl' => 30, 'interval' => 0.2, 'renew' => true]));
$lease = new RedisLock($s->options(['name' => 'forked-lease', 'ttl' => 30]));
$other = new RedisLock($s->options(['name' => 'forked-other', 'renew' => true]));
$_ = $lock->acquire();
$_ = $lease->acquire();
$token = $lock->getToken();

$pid = pcntl_fork();
if ($pid === 0) {
	/* Its own connection, since the parent's is in use by the parent. */
	$redis = $s->client();
	echo json_encode(['isHeld' => $lock->isHeld(), 'remaining' => $lock->remaining(), 'keepAlive' => $lock->keepAlive(),
		'isAcquired' => $lock->isAcquired(), 'release' => $lock->release(),
		'lease' => [$lease->isHeld(), $lease->release()]]), "\n";
	echo 'held by the parent: ', json_encode($redis('GET', 'forked') === $token), "\n";
	echo json_encode(['same name' => $lock->acquire(), 'another' => $other->acquire(), 'held' => $other->isHeld()]), "\n";
	unset($lock);
	exit(0);
}
pcntl_waitpid($pid, $status);
echo 'copy ended with ', pcntl_wexitstatus($status), ', its own lock: ', $redis('EXISTS', 'forked-other'), "\n";
var_dump(is_renewed($redis, 'forked') && $lock->isHeld(), $redis('GET', 'forked') === $token,
	$lock->release(), $lease->release());
--EXPECT--
{"isHeld":false,"remaining":0,"keepAlive":false,"isAcquired":false,"release":false,"lease":[false,false]}
held by the parent: true
{"same name":false,"another":true,"held":true}
copy ended with 0, its own lock: 0
bool(true)
bool(true)
bool(true)
bool(true)
