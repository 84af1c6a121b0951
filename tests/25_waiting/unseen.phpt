--TEST--
What ends a lock and tells nobody is seen by those who wait, who are woken in order and keep their places
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$hold = fn (string $name) => $redis('SET', $name, RedisLock::newToken(), 'PX', 600000);
$queued = 0;
/* Waiters for a name, in this order, long enough for a look. */
$line = function (string $name, int $count) use ($server, $redis, &$queued): array {
	$waiters = [];
	for ($i = 0; $i < $count; $i++) {
		$waiters[] = new Waiter($server->options(['name' => $name, 'ttl' => 60, 'renew' => $i % 2 === 1]));
		await_queue($redis, ++$queued);
	}
	return $waiters;
};
$served = function (array $waiters) use (&$queued): array {
	$got = [];
	foreach ($waiters as $waiter) {
		$got[] = $waiter->got();
		$waiter->do('release');
		$queued--;
	}
	return $got;
};
$hold('expiry');
$expiry = $line('expiry', 6);
$hold('evicted');
$evicted = $line('evicted', 1);
$hold('between');
$between = $line('between', 2);
/* They all learn when it expires. Each that was woken beside the first would line up again, behind the others. */
$told = now();
$redis('PEXPIRE', 'expiry', 2500);
/* A foreign holder comes while they stand there. It has the lock for longer than any of them waited to look. */
$redis('SET', 'between', 'foreign', 'PX', 600000);
$got = $served($expiry);
expect_taken('expired', $told, 2.5, 2.6, $got[0]);
$sorted = $got;
sort($sorted);
echo 'in order: ', json_encode($got === $sorted), "\n";
/* The release finds no waiters key. */
$redis('DEL', '{evicted}:rlk:waiters');
$redis('DEL', 'evicted');
$freed = now();
expect_taken('waiters key gone', $freed, 0, 1.2, $served($evicted)[0]);
$redis('DEL', 'between');
$freed = now();
[$first, $second] = $served($between);
expect_taken('foreign holder', $freed, 0, 1.2, $first);
expect_taken('then woken', $first, 0, 1, $second);
echo 'left: ', json_encode([$redis('EXISTS', 'expiry'), $redis('EXISTS', 'between')]), "\n";
?>
--EXPECT--
expired: ok
in order: true
waiters key gone: ok
foreign holder: ok
then woken: ok
left: [0,0]
