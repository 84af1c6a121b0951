--TEST--
RedisLock::keepAlive(): without an answer takes nothing away of what the renewals have given meanwhile
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../chaos/Proxy.php';

$servers = servers(3);
$proxies = array_map(fn (Server $server) => new Proxy($server->port), $servers);
$tell_all = fn (string $command) => array_map(fn (Proxy $proxy) => $proxy->tell($command), $proxies);
$scripts = fn () => array_map(fn (Server $server) => preg_match_all('/cmdstat_eval(?:sha)?:calls=(\d+)/',
	$server->client()('INFO', 'COMMANDSTATS'), $m) ? array_sum($m[1]) : 0, $servers);
$renewed = fn (int $count) => array_map(fn (Server $server) => is_renewed($server->client(), 'keepalive_unanswered', 30),
	array_slice($servers, 0, $count));

foreach ([[1, 'keepAlive()'], [1, 'keepAlive(40)'], [3, 'keepAlive()'], [3, 'keepAlive(40)'], [1, 'keepAlive(20)'], [3, 'keepAlive(20)']] as [$count, $call]) {
	$php = new Php('
		$lock = new RedisLock(["servers" => json_decode($argv[1], true), "name" => "keepalive_unanswered", "ttl" => 30, "interval" => 0.2,
			"renew" => true]);
		$_ = $lock->acquire();
		echo "held\n";
		fgets(STDIN);
		$until = now() + $lock->remaining();
		try {
			$said = $lock->' . $call . ';
		} catch (RedisLock\ConnectionException $e) {
			$said = "no answer";
		}
		$more = now() + $lock->remaining() - $until;
		echo $said, $more > 0.1 ? ", longer" : ($more < -0.1 ? ", shorter" : ", as before"), $lock->isHeld() ? "" : ", lost", "\n";
		echo json_encode($lock->release()), "\n";',
		[json_encode(array_map(fn (Proxy $proxy) => ['host' => '127.0.0.1', 'port' => $proxy->port, 'timeout' => 60, 'read_timeout' => 60],
			array_slice($proxies, 0, $count)))]);
	$php->await('held');
	$renewed($count);
	/* The requests of keepAlive() are executed, and their answers vanish. Both have to connect again, the child behind that. */
	$child = renewal_child($php->pid);
	stop_process($child);
	$tell_all('reset');
	array_map(fn (Server $server) => kill_clients($server->client()), $servers); /* and nothing is under way there */
	$before = $scripts();
	$tell_all('swallow down');
	$php->tell('');
	wait_until(fn () => array_filter(array_slice(array_map(fn ($now, $then) => $now - $then, $scripts(), $before), 0, $count)) ===
		array_fill(0, $count, 1));
	$tell_all('pass');
	posix_kill($child, SIGCONT);
	/* The second renewal is asked for when the first has been answered. */
	$at = $scripts();
	wait_until(fn () => min(array_slice(array_map(fn ($now, $then) => $now - $then, $scripts(), $at), 0, $count)) >= 3);
	/* There is no other connection to be had. */
	$tell_all('refuse');
	$tell_all('reset');
	echo $count, ' ', $call, ': ', $php->line(), "\n";
	$tell_all('accept');
	$php->rest();
	wait_until(fn () => all_keys($servers) === []);
}
?>
--EXPECT--
1 keepAlive(): no answer, longer
1 keepAlive(40): no answer, longer
3 keepAlive(): no answer, longer
3 keepAlive(40): no answer, longer
1 keepAlive(20): no answer, shorter
3 keepAlive(20): no answer, shorter
