--TEST--
Where blocking or scripts are refused, waiting is polling
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$cases = [
	'BLPOP is unknown' => [['--rename-command', 'BLPOP', ''], []],
	'BLPOP is forbidden' => [[], ['-blpop']],
	'only the lock key is allowed' => [[], ['resetkeys', '~refused']],
];
foreach ($cases as $name => [$setting, $rules]) {
	$server = new Server(false, ...$setting);
	$redis = $server->client();
	$rules === [] || $redis('ACL', 'SETUSER', 'default', ...$rules);
	$holder = new RedisLock($server->options(['name' => 'refused']));
	$_ = $holder->acquire();
	$waiter = new Waiter($server->options(['name' => 'refused', 'retry_ms' => 20]));
	$tries = fn () => preg_match('/cmdstat_set:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;
	$before = $tries();
	echo "$name: ", json_encode([comes_true(fn () => $tries() > $before + 2), $holder->release()]);
	$waiter->got();
	echo ' ', json_encode([$waiter->do('held'), $waiter->do('release'), $redis('EXISTS', 'refused')]), "\n";
}
?>
--EXPECT--
BLPOP is unknown: [true,true] [true,true,0]
BLPOP is forbidden: [true,true] [true,true,0]
only the lock key is allowed: [true,true] [true,true,0]
