--TEST--
Cluster: acquire() ends at its limit while the answer is "not now", and the shortest limit leaves it one try
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/fake_server.inc';

$try = function (string $script, float $wait): array {
	$server = new FakeServer($script, $port = Server::freePort());
	$lock = new RedisLock(['cluster' => ["127.0.0.1:$port"], 'name' => 'limit']);
	$start = now();
	try {
		$made = $lock->acquire($wait);
	} catch (RedisLock\ConnectionException) {
		$made = 'exception';
	}
	return [$made, now() - $start];
};
/* Each a few times: a machine that stands still for a moment is late, too. */
foreach ([0.11, 0.21, 0.31, 0.36] as $wait) {
	$best = INF;
	for ($i = 0; $i < 5 && $best > 0.02; $i++) {
		[$made, $took] = $try(str_repeat("EXPECT ...\nSEND -CLUSTERDOWN The cluster is down\n", 60) . 'SILENCE', $wait);
		$best = min($best, abs($took - $wait));
	}
	echo "$wait: $made, ", $best > 0.02 ? sprintf('off by %.3f', $best) : 'in time', "\n";
}
$made = false;
for ($i = 0; $i < 10 && $made !== true; $i++) {
	[$made] = $try("EXPECT ...\nDELAY 8\nSEND +OK\nSILENCE", 0.001);
}
var_dump($made);
?>
--EXPECT--
0.11: exception, in time
0.21: exception, in time
0.31: exception, in time
0.36: exception, in time
bool(true)
