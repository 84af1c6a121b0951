--TEST--
Quorums: two of five frozen, hanging in connect or refusing cost nothing; three of five are an exception within a time limit
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
/* slow: each way in which servers are down, 220 times */
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$servers = servers(5);
$hole = [new BlackHole, new BlackHole, new BlackHole];

foreach (['frozen', 'hanging', 'refusing'] as $way) {
	echo "$way\n";
	foreach ([2, 3] as $down) {
		/* Those that answer have time to do so on a busy machine; where too few do, 50 ms is the limit. */
		$time = $down === 2 ? 1 : 0.05;
		$addresses = array_map(fn (Server $s) => ['host' => '127.0.0.1', 'port' => $s->port, 'timeout' => $time, 'read_timeout' => $time], $servers);
		for ($i = 0; $i < $down; $i++) {
			match ($way) {
				'frozen' => $servers[$i]->freeze(),
				'hanging' => $addresses[$i]['port'] = $hole[$i]->port,
				'refusing' => $addresses[$i]['port'] = Server::freePort(),
			};
		}
		/* Waiting for a single one of them would take that time. */
		$once = function (RedLock $red) use ($down): float {
			$start = now();
			try {
				$lock = $red->lock('down', 10000);
				return $down === 2 && $lock && $red->unlock($lock) ? taken($start) : INF;
			} catch (RedisLock\ConnectionException $e) {
				return $down === 3 ? taken($start) : INF;
			}
		};
		$new = fn () => new RedLock($addresses, 1, 1);
		$red = $new();
		$limit = $down === 2 ? 0.02 : 0.09;
		expect_within("$down of 5, the first call", $limit, fn () => $once($new()), 10);
		expect_within("$down of 5, those that follow", $limit, fn () => $once($red), $down === 2 ? 200 : 10);
		for ($i = 0; $i < $down && $way === 'frozen'; $i++) {
			$servers[$i]->thaw();
		}
	}
}
echo nothing_left($servers), "\n";
?>
--EXPECT--
frozen
2 of 5, the first call: ok
2 of 5, those that follow: ok
3 of 5, the first call: ok
3 of 5, those that follow: ok
hanging
2 of 5, the first call: ok
2 of 5, those that follow: ok
3 of 5, the first call: ok
3 of 5, those that follow: ok
refusing
2 of 5, the first call: ok
2 of 5, those that follow: ok
3 of 5, the first call: ok
3 of 5, those that follow: ok
nothing is left
