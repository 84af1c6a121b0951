--TEST--
Cluster: acquire() ends at its limit while the answer is "not now", and the shortest limit leaves it one try
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/fake_server.inc';

$try = function (string $script, float $wait): array {
	$server = new FakeServer($script, $port = Server::freePort());
	$lock = new RedisLock(['cluster' => ["127.0.0.1:$port"], 'name' => 'routed_limit']);
	$start = now();
	try {
		$made = $lock->acquire($wait);
	} catch (RedisLock\ConnectionException) {
		$made = 'exception';
	}
	return [$made, taken($start, null, $wait)];
};
foreach ([0.11, 0.21, 0.31, 0.36] as $wait) {
	expect_within("$wait", $wait + 0.02, function () use ($try, $wait, &$made) {
		[$made[], $took] = $try(str_repeat("EXPECT ...\nSEND -CLUSTERDOWN The cluster is down\n", 60) . 'SILENCE', $wait);
		return $took;
	}, 10, $wait - 0.02);
}
var_dump(array_unique($made) === ['exception']);
[$made] = unless_stalled(fn () => $try("EXPECT ...\nDELAY 8\nSEND +OK\nSILENCE", 0.001), fn (array $made) => $made[0] === true);
var_dump($made);
?>
--EXPECT--
0.11: ok
0.21: ok
0.31: ok
0.36: ok
bool(true)
bool(true)
