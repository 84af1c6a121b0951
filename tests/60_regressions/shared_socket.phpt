--TEST--
parent and renewal child never share a connection: no answer goes to the wrong one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'shared_socket', 'ttl' => 5, 'interval' => 0.001]);
$wrong = SequenceTask::execute($config, function (RedisLock $lock) use ($redis) {
	/* A renewal each millisecond, against as many requests of our own as fit in, until there were enough of both: on a
	 * busy machine the child's turn comes rarely. */
	$renewals = function (int $rounds) use ($redis) {
		/* Each round calls three scripts: what is more are renewals. */
		preg_match('/cmdstat_evalsha:calls=(\d+)/', $redis('INFO', 'commandstats'), $m);
		return $m[1] - 3 * $rounds;
	};
	$wrong = 0;
	for ($i = 0, $end = now() + 30; $i < 3000 || $i % 100 > 0 || ($renewals($i) < 20 && now() < $end); $i++) {
		$wrong += !$lock->isAcquired() + !$lock->keepAlive(5) + ($lock->holder()['token'] !== $lock->getToken());
	}
	echo $renewals($i) >= 20 ? "renewed meanwhile\n" : "{$renewals($i)} renewals\n";
	return $wrong;
});
echo "wrong answers: $wrong\n";
echo 'held: ', $redis('EXISTS', 'shared_socket'), "\n";
--EXPECT--
renewed meanwhile
wrong answers: 0
held: 0
