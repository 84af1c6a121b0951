--TEST--
RedisLock::setPoller(): after a fatal error, a process-bound lock of an object is released once, or by the child, and the process does not crash
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
$redis = $server->client();
foreach (['answers', 'answers not'] as $what) {
	$php = new Php('
RedisLock::setPoller(fn () => Fiber::suspend());
$lock = new RedisLock(json_decode($argv[1], true));
$_ = $lock->acquire();
echo "held\n";
fgets(STDIN);
trigger_error("enough", E_USER_ERROR);
', [json_encode($server->options(['name' => 'fatal_held', 'renew' => true, 'ttl' => 600]))]);
	$php->await('held');
	$redis('CONFIG', 'RESETSTAT');
	$child = await_renewal_child($php->pid);
	$what === 'answers' || $server->freeze();
	$php->tell('end');
	$php->rest();
	$ended = $php->end();
	$server->thaw();
	wait_until(fn () => $redis('EXISTS', 'fatal_held') === 0, 60);
	/* It would look for the server until the ttl is over. */
	wait_until(fn () => !is_running($child), 60);
	preg_match('/cmdstat_del:calls=(\d+)/', $redis('INFO', 'commandstats'), $deleted);
	step($what, json_encode($ended), $deleted[1]);
}
?>
--EXPECT--
answers: '{"exit":255}', '1'
answers not: '{"exit":255}', '1'
