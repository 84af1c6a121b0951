--TEST--
reentrant: forceRelease() without an answer ends the lock for all who are in it, and what nobody holds is released
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../chaos/Proxy.php';

$servers = servers(3);
$proxies = array_map(fn (Server $server) => new Proxy($server->port), $servers);
$tell_all = fn (string $command) => array_map(fn (Proxy $proxy) => $proxy->tell($command), $proxies);
$key = 'reentrant_forced_unanswered';
$at = array_map(fn (Proxy $proxy) => ['host' => '127.0.0.1', 'port' => $proxy->port, 'timeout' => 0.5, 'read_timeout' => 0.5], $proxies);
$kinds = ['lease' => [], 'process-bound' => ['renew' => true, 'on_lost' => 'flag'], 'process-bound, told' => ['renew' => true]];
foreach ([1, 3] as $count) {
	$on = array_slice($servers, 0, $count);
	foreach ($kinds as $kind => $options) {
		foreach (['a', 'c'] as $who) {
			$options += ['servers' => array_slice($at, 0, $count), 'name' => $key, 'reentrant' => true, 'ttl' => 60];
			$locks = ['a' => new RedisLock($options), 'b' => new RedisLock($options)];
			$force = $locks[$who] ?? new RedisLock(['renew' => false, 'on_lost' => null] + $options);
			wait_until(fn () => $locks['a']->isHeld() || $locks['a']->acquire()); /* where the machine stands still */
			$_ = $locks['b']->acquire();
			$told = 'not told';
			try {
				$tell_all('swallow both');
				try {
					$said = $force->forceRelease();
				} catch (RedisLock\ConnectionException $e) {
					$said = $e;
				}
				$tell_all('pass');
				for ($until = now() + 10; $kind === 'process-bound, told' && now() < $until;);
			} catch (RedisLock\LockLostException $e) {
				$tell_all('pass');
				$told = 'told';
				$said = $e->getPrevious() ?? $said; /* if it was told before the call had ended */
			}
			echo "$count, $kind, $who: ", get_debug_type($said), ', ', $told, ', held: ', json_encode([$locks['a']->isHeld(), $locks['b']->isHeld()]), ', ';
			/* A lease is released by its holders alone, at the second try where the connection is dumb. One of three servers may
			 * keep it until its ttl ends. */
			echo $kind === 'lease' ? json_encode($locks['a']->release()) . ' ' : '';
			echo comes_true(function () use ($kind, $locks, $on, $key, $count) {
				$kind === 'lease' && outcome($locks['b']->release(...));
				return substr_count(where($on, $key), 'x') < 1 + intdiv($count, 3);
			}) ? "released\n" : "left\n";
			foreach ($on as $server) {
				$server->client()('DEL', $key);
			}
		}
	}
}
?>
--EXPECT--
1, lease, a: RedisLock\ConnectionException, not told, held: [false,false], false released
1, lease, c: RedisLock\ConnectionException, not told, held: [false,false], false released
1, process-bound, a: RedisLock\ConnectionException, not told, held: [false,false], released
1, process-bound, c: RedisLock\ConnectionException, not told, held: [false,false], released
1, process-bound, told, a: RedisLock\ConnectionException, told, held: [false,false], released
1, process-bound, told, c: RedisLock\ConnectionException, told, held: [false,false], released
3, lease, a: RedisLock\ConnectionException, not told, held: [false,false], false released
3, lease, c: RedisLock\ConnectionException, not told, held: [false,false], false released
3, process-bound, a: RedisLock\ConnectionException, not told, held: [false,false], released
3, process-bound, c: RedisLock\ConnectionException, not told, held: [false,false], released
3, process-bound, told, a: RedisLock\ConnectionException, told, held: [false,false], released
3, process-bound, told, c: RedisLock\ConnectionException, told, held: [false,false], released
