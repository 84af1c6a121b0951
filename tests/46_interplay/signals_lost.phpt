--TEST--
RedisLock\LockLostException: arrives among a flood of signals, whose handlers run on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
pcntl_async_signals(true);
$handled = 0;
pcntl_signal(SIGUSR1, function () use (&$handled) {
	$handled++;
});
/* It counts what it sends, not what arrives: a loss may be told inside the handler, before its first statement. */
$sender = new Php('stream_set_blocking(STDIN, false);
while (!fgets(STDIN)) {
	posix_kill((int) $argv[1], SIGUSR1);
	usleep(100);
}
echo "stopped\n";', [getmypid()]);

for ($lost = 0; $lost < 50 || $handled < 1000; $lost++) {
	try {
		SequenceTask::execute($s->options(['name' => 'signals_lost', 'ttl' => 30, 'interval' => 0.01]), function () use ($redis) {
			$redis('DEL', 'signals_lost');
			for ($end = now() + 20; now() < $end;);
		});
		echo "not told\n";
		break;
	} catch (RedisLock\LockLostException $e) {
		if ($e->hasResult()) {
			echo "told too late\n";
		}
	}
}
$sender->tell('stop');
$sender->await('stopped');
var_dump($lost >= 50, $handled >= 1000, $sender->end(), $redis('EXISTS', 'signals_lost'));

$before = $handled;
posix_kill(getmypid(), SIGUSR1);
wait_until(function () use (&$handled, $before) {
	return $handled === $before + 1;
});
--EXPECT--
bool(true)
bool(true)
array(1) {
  ["exit"]=>
  int(0)
}
int(0)
