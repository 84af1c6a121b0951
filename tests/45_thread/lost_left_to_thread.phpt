--TEST--
redislock.renewal=thread: a lock lost while its server does not answer is the thread's to free, and holds up neither the code nor the end of the request
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--INI--
redislock.renewal=thread
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
/* Time limits of the server are 2 s each. */

$s = new Server;
$redis = $s->client();
$gone = fn () => $redis('EXISTS', 'left_to_thread') === 0;
$config = $s->options(['name' => 'left_to_thread', 'ttl' => 3, 'interval' => 0.1]);
$out = [];
expect_within('freed', 1.0, function () use ($s, $config, $gone, &$out) {
	try {
		SequenceTask::execute($config, function () use ($s, &$told) {
			$s->freeze();
			try {
				for (;;);
			} finally {
				$told = now();
			}
		});
	} catch (RedisLock\LockLostException) {
	}
	$out[] = taken($told);
	$s->thaw();
	$start = now();
	wait_until($gone);
	return taken($start);
}, 3);
expect_between('out', max($out), 0, 0.1);

/* A thread goes with its process. */
$code = '
try {
	SequenceTask::execute(json_decode($argv[1], true), function () use ($argv) {
		stop_process((int) $argv[2]);
		for (;;);
	});
} catch (RedisLock\LockLostException) {
	echo "told\n";
}';
expect_within('the end of the process', 1.0, function () use ($s, $config, $code) {
	$process = new Php($code, [json_encode(['ttl' => 1.2] + $config), (string) $s->pid], ['redislock.renewal=thread']);
	$process->await('told');
	$start = now();
	$process->end();
	$s->thaw();
	return taken($start);
}, 3);

$servers = servers(3, false);
$most = new RedisLock(['servers' => addresses($servers, 2), 'name' => 'left_to_thread', 'ttl' => 60, 'interval' => 0.1, 'renew' => true,
	'on_lost' => 'flag']);
$_ = $most->acquire();
wait_until(fn () => where($servers, 'left_to_thread') === 'xxx');
$servers[0]->client()('DEL', 'left_to_thread');
$servers[1]->client()('DEL', 'left_to_thread');
wait_until(fn () => !$most->isHeld());
var_dump($most->release());
echo nothing_left($servers), "\n";
?>
--EXPECT--
freed: ok
out: ok
the end of the process: ok
bool(false)
nothing is left
