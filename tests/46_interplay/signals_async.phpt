--TEST--
SequenceTask::execute(): user handlers firing all the time are called, and the lock is kept
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
/* Sends SIGUSR1, and the next one only when told that it was handled, so that none merges with another. */
$sender = new Php('for ($sent = 0; fgets(STDIN) === "next\n"; $sent++) {
	usleep(2000);
	posix_kill((int) $argv[1], SIGUSR1);
}
echo "$sent\n";', [getmypid()]);

pcntl_async_signals(true);
$handled = 0;
pcntl_signal(SIGUSR1, function () use (&$handled, $sender) {
	$handled++;
	$sender->tell('next');
});
/* Alarms go by the second: one asks for the next. */
$alarms = 0;
pcntl_signal(SIGALRM, function () use (&$alarms) {
	$alarms++;
	pcntl_alarm(1);
});

$config = $s->options(['name' => 'signals_async', 'ttl' => 0.9, 'interval' => 0.05]);
$result = SequenceTask::execute($config, function (RedisLock $lock) use ($redis, $sender, &$handled, &$alarms) {
	$token = $lock->getToken();
	$sender->tell('next');
	pcntl_alarm(1);
	/* Half in PHP code, half in calls that signals interrupt. */
	for ($i = 0; $alarms < 2; $i++) {
		$i % 2 ? usleep(5000) : array_sum(array_map('sqrt', range(1, 1000)));
	}
	pcntl_alarm(0);
	wait_until(fn () => $handled >= 100, 60);
	/* Somebody else's commands and ours in the same weather. */
	for ($i = 0, $right = true; $i < 200; $i++) {
		$right = $right && $lock->isAcquired();
	}
	var_dump($right, $lock->isHeld(), $redis('GET', 'signals_async') === $token);
	return 'the result';
});
var_dump($result, $redis('EXISTS', 'signals_async'));

$sender->tell('stop');
$sent = (int) $sender->rest();
var_dump(wait_until(fn () => $handled === $sent), $handled >= 100, $alarms >= 2);
--EXPECT--
bool(true)
bool(true)
bool(true)
string(10) "the result"
int(0)
bool(true)
bool(true)
bool(true)
