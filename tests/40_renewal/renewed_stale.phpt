--TEST--
A lock that took a second try has its renewal, and its release at death, by the token of that try
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/stale.inc';
require __DIR__ . '/../inc/timing.inc';
$server = new Server(true);
$redis = $server->client();
$proxy = new Proxy($server->port);
foreach (['process', 'thread'] as $renewal) {
	$php = new Php('
		$lock = new RedisLock(["host" => "127.0.0.1", "port" => (int) $argv[1], "name" => "renewed_stale", "renew" => true, "ttl" => 3, "interval" => 0.1]);
		$lock->acquire() && $lock->release();
		echo "idle\n";
		fgets(STDIN);
		$_ = $lock->acquire();
		echo $lock->getToken(), "\n";
		fgets(STDIN);
		echo json_encode($lock->isHeld()), "\n";
		fgets(STDIN);', [(string) $proxy->port], ["redislock.renewal=$renewal"]);
	$php->await('idle');
	$proxy->tell('forget');
	$php->tell('');
	$token = $php->line();
	echo $renewal, ': ', json_encode($token !== '' && $redis('GET', 'renewed_stale') === $token), json_encode(is_renewed($redis, 'renewed_stale', 3));
	$php->tell('');
	echo ', held: ', $php->line(), "\n";
	$php->signal(SIGKILL);
	if ($renewal === 'process') {
		$killed = now();
		wait_until(fn () => $redis('EXISTS', 'renewed_stale') === 0);
		expect_taken('freed', $killed, 0, 1);
	}
	$redis('DEL', 'renewed_stale');
}
?>
--EXPECT--
process: truetrue, held: true
freed: ok
thread: truetrue, held: true
