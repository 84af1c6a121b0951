--TEST--
RedisLock::acquire(): a memory limit that was reached before ends the script, in PHP versions that say so later, too
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$redis('SET', 'wait_memory_limit', 'another');
$php = new Php('$lock = new RedisLock(unserialize($argv[1]));
	$half = str_repeat("x", 2100000);
	ini_set("memory_limit", (string) (memory_get_usage(true) + 1000000));
	echo "begun\n";
	$all = $half . "y";
	$_ = $lock->acquire(0.1);
	echo strlen($all) > strlen($half) ? "went on\n" : "";', [serialize($server->options(['name' => 'wait_memory_limit']))], ['fatal_error_backtraces=0']);
$php->await('begun');
preg_match_all('/Fatal error: Allowed memory size|went on/', $php->rest(), $said);
step('acquire', implode(', ', $said[0]), ...$php->end());
?>
--EXPECT--
acquire: 'Fatal error: Allowed memory size', 255
