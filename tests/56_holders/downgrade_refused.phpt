--TEST--
RedisLock::downgrade(): a user who lacks a right to it keeps the plain lock; without an answer either kind is renewed
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$name = 'downgrade_refused';
$renewed = ['renew' => true, 'interval' => 0.1];
/* That the server has less, a renewal changes. */
$is_renewed = fn () => $redis('PEXPIRE', $name, 30000) === 1 && comes_true(fn () => $redis('PTTL', $name) > 50000);

foreach (['-@sortedset', '-pexpireat', '-del', '-type'] as $without) {
	$redis('ACL', 'SETUSER', 'app', 'reset', 'on', '>secret', '~*', '+@all', $without);
	foreach ([[], $renewed] as $own) {
		$lock = new RedisLock($server->options($own + ['name' => $name, 'ttl' => 60, 'auth' => ['app', 'secret']]));
		$said = [$lock->acquire()];
		try {
			$said[] = $lock->downgrade();
		} catch (RedisLock\ConnectionException $e) {
			$said[] = 'refused';
		}
		array_push($said, $redis('GET', $name) === $lock->getToken(), $redis('PTTL', $name) > 30000, $own === [] || $is_renewed(), $lock->upgrade());
		$redis('ACL', 'SETUSER', 'app', '+del'); /* also of a release */
		step($without . ($own === [] ? '' : ', renewed'), ...[...$said, $lock->isHeld(), $lock->keepAlive(), $lock->release(), $redis('EXISTS', $name)]);
		$redis('ACL', 'SETUSER', 'app', $without);
	}
}

$lock = new RedisLock($server->options($renewed + ['name' => $name, 'ttl' => 60, 'read_timeout' => 0.2]));
$_ = $lock->acquire();
$server->freeze();
try {
	$_ = $lock->downgrade();
} catch (RedisLock\ConnectionException) {
	echo "no answer\n";
}
$server->thaw();
wait_until(fn () => $redis('TYPE', $name) === 'zset');
$ends = $redis('ZSCORE', $name, $lock->getToken());
step('shared, renewed', comes_true(fn () => $redis('ZSCORE', $name, $lock->getToken()) > $ends), $lock->keepAlive(), $lock->release(), $redis('EXISTS', $name));
?>
--EXPECT--
-@sortedset: true, 'refused', true, true, true, true, true, true, true, 0
-@sortedset, renewed: true, 'refused', true, true, true, true, true, true, true, 0
-pexpireat: true, 'refused', true, true, true, true, true, true, true, 0
-pexpireat, renewed: true, 'refused', true, true, true, true, true, true, true, 0
-del: true, 'refused', true, true, true, true, true, true, true, 0
-del, renewed: true, 'refused', true, true, true, true, true, true, true, 0
-type: true, 'refused', true, true, true, true, true, true, true, 0
-type, renewed: true, 'refused', true, true, true, true, true, true, true, 0
no answer
shared, renewed: true, true, true, 0
