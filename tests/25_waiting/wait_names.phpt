--TEST--
Waiting works for every name: with braces, empty tags, binary, long, prefixed
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
$names = ['plain', '{tag}name', 'a{b}c{d}', '{}empty', '{open', 'close}', '}{', "\0\xff\r\n", str_repeat('n', 10000), '{', '}'];
foreach (['', 'app:', '{app}:', "\xf0{"] as $prefix) {
	$woken = [];
	foreach ($names as $name) {
		$options = $server->options(['name' => $name, 'prefix' => $prefix, 'retry_ms' => 20]);
		$holder = new RedisLock($options);
		no_checks($redis, $name, $prefix);
		$_ = $holder->acquire();
		$redis('CONFIG', 'RESETSTAT');
		$waiter = new Waiter($options);
		/* A name without helper keys is polled: there are tries, and nobody stands in a queue between them. */
		wait_until(function () use ($redis, &$queued) {
			$info = $redis('INFO', 'all');
			$queued = preg_match('/blocked_clients:1|cmdstat_blpop:/', $info);
			return $queued || preg_match('/cmdstat_set:calls=(\d+)/', $info, $m) && $m[1] > 5;
		});
		$woken[] = $queued;
		$freed = now();
		$holder->release();
		if ($waiter->got() - $freed > WOKEN || !$waiter->do('release') || $redis('EXISTS', $prefix . $name) !== 0) {
			echo "not so: $prefix$name\n";
		}
	}
	echo implode(' ', $woken), "\n";
}
?>
--EXPECT--
1 1 1 0 1 0 0 1 1 1 0
1 1 1 0 1 0 0 1 1 1 0
1 1 1 1 1 1 1 1 1 1 1
0 1 1 1 0 1 0 0 0 0 0
