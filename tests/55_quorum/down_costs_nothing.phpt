--TEST--
Quorums: two of five frozen, hanging in connect or refusing cost nothing; three of five are an exception within a time limit
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(5);
$hole = [new BlackHole, new BlackHole, new BlackHole];

foreach (['frozen', 'hanging', 'refusing'] as $way) {
	echo "$way\n";
	foreach ([2, 3] as $down) {
		$addresses = array_map(fn (Server $s) => ['127.0.0.1', $s->port], $servers);
		for ($i = 0; $i < $down; $i++) {
			match ($way) {
				'frozen' => $servers[$i]->freeze(),
				'hanging' => $addresses[$i][1] = $hole[$i]->port,
				'refusing' => $addresses[$i][1] = Server::freePort(),
			};
		}
		/* The first call, which has to connect, and those that follow. The limit leaves room for busy machines: waiting
		 * for a single one of them would take 50 ms each time. */
		$once = function () use ($addresses, $down) {
			$red = new RedLock($addresses, 1, 1);
			$times = [];
			for ($i = 0; $i < ($down === 2 ? 200 : 3); $i++) {
				$start = now();
				try {
					$lock = $red->lock('down', 10000);
					if ($down === 3 || !$lock || !$red->unlock($lock)) {
						return INF;
					}
				} catch (RedisLock\ConnectionException $e) {
					if ($down === 2) {
						return INF;
					}
				}
				$times[] = now() - $start;
			}
			return max($times[0], array_sum($times) / count($times));
		};
		expect_within("$down of 5", $down === 2 ? 0.02 : 0.09, $once);
		for ($i = 0; $i < $down && $way === 'frozen'; $i++) {
			$servers[$i]->thaw();
		}
	}
}
echo nothing_left($servers), "\n";
?>
--EXPECT--
frozen
2 of 5: ok
3 of 5: ok
hanging
2 of 5: ok
3 of 5: ok
refusing
2 of 5: ok
3 of 5: ok
nothing is left
