--TEST--
redislock.renewal=thread: keeps a lock, tells of its loss in code and in sleep
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--INI--
redislock.renewal=thread
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';
$server = new Server();
$client = $server->client();
$options = $server->options(['name' => 'keeps_and_tells', 'ttl' => 30, 'interval' => 0.1]);

SequenceTask::execute($options, function (RedisLock $lock) use ($client) {
	var_dump(is_renewed($client, 'keeps_and_tells') && $lock->isHeld(), $lock->isAcquired(), renewal_child(getmypid()));
});
var_dump($client('EXISTS', 'keeps_and_tells'));

foreach (['loop' => fn () => now(), 'sleep' => fn () => sleep(10)] as $name => $step) {
	try {
		SequenceTask::execute($options, function () use ($client, $step, &$deleted) {
			$deleted = now();
			$client('DEL', 'keeps_and_tells');
			while (now() < $deleted + 20) {
				$step();
			}
		});
	} catch (RedisLock\LockLostException $e) {
		expect_taken($name, $deleted, 0, 2);
	}
}
?>
--EXPECT--
bool(true)
bool(true)
int(0)
int(0)
loop: ok
sleep: ok
