--TEST--
A failover: survived where the new master has the key, a loss where it has not
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

ignore_engine_leaks();

/* The address that clients know: a link to the socket of whoever is master. */
$address = sys_get_temp_dir() . '/rlk' . getmypid() . '.master';
register_shutdown_function(fn () => @unlink($address));
$point_to = function (Server $server) use ($address) {
	symlink($server->socket, "$address.new");
	rename("$address.new", $address);
};

foreach (['in time' => true, 'too late' => false] as $name => $replicated) {
	$master = new Server(true, '--repl-diskless-sync-delay', '0');
	$replica = new Server(false, '--replicaof', '127.0.0.1', (string) $master->port);
	$new = $replica->client();
	wait_until(fn () => str_contains($new('INFO', 'replication'), 'master_link_status:up'));
	$point_to($master);
	if (!$replicated) {
		$replica->freeze();
	}
	$lock = new RedisLock(['unix_socket' => $address, 'name' => 'lost_failover', 'ttl' => 20, 'interval' => 0.05, 'renew' => true]);
	$_ = $lock->acquire();
	if ($replicated) {
		/* WAIT would only tell of what its own connection wrote. */
		var_dump(comes_true(fn () => $new('EXISTS', 'lost_failover') === 1));
	}
	try {
		$master->freeze(); /* what it still has to send is lost with it */
		$master->kill();
		$replica->thaw();
		$new('REPLICAOF', 'NO', 'ONE');
		if (!$replicated) {
			/* The end of the connection may come with what was sent before it. */
			$new('DEL', 'lost_failover');
			$new('SET', 'lost_failover', 'next owner');
		}
		$point_to($replica);
		$ttl = $renewals = 0;
		wait_until(function () use ($new, &$ttl, &$renewals) {
			[$before, $ttl] = [$ttl, $new('PTTL', 'lost_failover')];
			return ($renewals += (int) ($ttl > $before)) > 3;
		});
		echo "$name: ", $lock->isHeld() && $lock->release() && $new('EXISTS', 'lost_failover') === 0 ? 'survived' : 'not told', "\n";
	} catch (RedisLock\LockLostException $e) {
		/* It came between a request of $new and its reply, maybe. */
		$new = $replica->client();
		echo "$name: ", $e->getMessage(), ', key of ', $new('GET', 'lost_failover'), ', ttl ', $new('PTTL', 'lost_failover'), "\n";
	}
	unset($lock);
	$replica->kill(); /* else the renewal child keeps its connection, and says next time that the lock is lost there */
}
--EXPECT--
bool(true)
in time: survived
too late: lock "lost_failover" was lost: its key was deleted or has another owner, key of next owner, ttl -1
