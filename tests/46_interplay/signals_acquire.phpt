--TEST--
RedisLock: acquired and released a thousand times under a storm of signals
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
$sender = new Php('echo "ready\n";
while (posix_getppid() === (int) $argv[1]) {
	posix_kill((int) $argv[1], SIGUSR1);
	usleep(200);
}', [getmypid()]);
$sender->await('ready');
wait_until(function () use (&$handled) {
	return $handled > 0;
});

$lock = new RedisLock($s->options(['name' => 'signals_acquire', 'renew' => true]));
for ($i = 0, $wrong = 0; $i < 1000; $i++) {
	$wrong += !$lock->acquire() + !$lock->isAcquired() + !$lock->release() + $redis('EXISTS', 'signals_acquire');
}
var_dump($wrong);
for ($i = 0, $sum = 0; $i < 20; $i++) {
	$sum += SequenceTask::execute($s->options(['name' => 'signals_acquire']), fn () => $i);
}
var_dump($sum, $handled > 10, $redis('EXISTS', 'signals_acquire'));
--EXPECT--
int(0)
int(190)
bool(true)
int(0)
