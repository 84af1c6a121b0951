--TEST--
RedisLock::acquire(): the time limit of the script ends a wait
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
if (ZEND_THREAD_SAFE) {
	die('skip the limit is another timer there');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$redis('SET', 'wait_time_limit', 'other');
$php = new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "wait_time_limit", "retry_ms" => 500]);
	register_shutdown_function(function () use ($lock) { var_dump($lock->isHeld()); });
	set_time_limit(30);
	echo "waiting\n";
	$_ = $lock->acquire(INF);', [$server->socket], ['fatal_error_backtraces=0']);
$php->await('waiting');
wait_until(fn () => preg_match('/cmdstat_set:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) && $m[1] > 1);
/* The limit counts time on the CPU, of which a wait takes none: this is the signal it would raise. */
$php->signal(27); /* SIGPROF */
echo $php->rest();
var_dump($php->end(), $redis('GET', 'wait_time_limit'));
?>
--EXPECTF--

Fatal error: Maximum execution time of 30 seconds exceeded in %s on line %d
bool(false)
array(1) {
  ["exit"]=>
  int(255)
}
string(5) "other"
