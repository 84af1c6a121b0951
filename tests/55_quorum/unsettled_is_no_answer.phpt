--TEST--
Quorums: a server that has yet to answer is no vote against the lock; where it would decide there is no answer
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3);
$addresses = [...addresses([$servers[0], $servers[1]]), ...addresses([$servers[2]], 0.2)];
$try = function (callable $do): string {
	try {
		return var_export($do(), true);
	} catch (RedisLock\ConnectionException) {
		return 'no answer';
	}
};
foreach (['isAcquired', 'keepAlive'] as $method) {
	echo "-- $method\n";
	$lock = new RedisLock(['servers' => $addresses, 'name' => $method, 'ttl' => 30]);
	wait_until(function () use ($lock, $servers, $try, $method) {
		if ($try(fn () => $lock->acquire()) === 'true' && comes_true(fn () => where($servers, $method) === 'xxx', 0.1)) {
			return true;
		}
		$try(fn () => $lock->release());
		return false;
	});
	$confirm = fn () => $method === 'isAcquired' ? $lock->isAcquired() : $lock->keepAlive(30);
	$servers[2]->freeze();
	var_dump($lock->keepAlive(30));
	pause(0.25, 'it is given up then');
	var_dump($lock->keepAlive(30));
	/* Two of three have it, one of which is not asked for now. */
	$servers[1]->client()('DEL', $method);
	echo $try($confirm), "\n";
	var_dump($lock->isHeld());
	$servers[2]->thaw();
	wait_until(fn () => $try($confirm) === 'true', 5);
}
?>
--EXPECT--
-- isAcquired
bool(true)
bool(true)
no answer
bool(true)
-- keepAlive
bool(true)
bool(true)
no answer
bool(true)
