--TEST--
A connection the server has closed is opened anew, for every command
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server(true);
$redis = $server->client();
foreach ([false, true] as $tcp) {
	$lock = new RedisLock($server->options(['name' => 'client_killed', 'client_name' => 'victim'], $tcp));
	$cut = function () use ($redis) {
		foreach (explode("\n", $redis('CLIENT', 'LIST')) as $line) {
			if (preg_match('/^id=(\d+) .* name=victim /', $line, $m)) {
				$redis('CLIENT', 'KILL', 'ID', $m[1]);
			}
		}
	};
	foreach (['acquire', 'keepAlive', 'isAcquired', 'holder', 'release', 'acquire', 'forceRelease',
		'holder'] as $method) {
		$cut();
		pause(0.002, 'a connection used in the same millisecond is not looked at: RLK_CONN_FRESH_MS');
		echo $method, ' ', json_encode((bool) $lock->$method()), "\n";
	}
	$lock->isAcquired();
}
?>
--EXPECT--
acquire true
keepAlive true
isAcquired true
holder true
release true
acquire true
forceRelease true
holder false
acquire true
keepAlive true
isAcquired true
holder true
release true
acquire true
forceRelease true
holder false
