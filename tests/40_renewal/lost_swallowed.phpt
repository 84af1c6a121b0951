--TEST--
SequenceTask::execute(): a loss the callable swallowed is reported with the result
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(false, ...UNTRACKED); /* whoever is told finds out before the release does */
$redis = $s->client();
$config = $s->options(['name' => 'lost_swallowed']);

foreach (['a result', null] as $result) {
	try {
		SequenceTask::execute(['interval' => 0.1] + $config, function () use ($redis, $result) {
			try {
				$redis('DEL', 'lost_swallowed');
				for (;;);
			} catch (Exception $e) {
				echo 'swallowed ', get_class($e), "\n";
			}
			return $result;
		});
		echo "not reached\n";
	} catch (RedisLock\LockLostException $e) {
		var_dump($e->hasResult(), $e->getResult(), $e->getMessage());
	}
}

/* Lost, and never noticed while running, where the next renewal is far: the release finds out. */
try {
	SequenceTask::execute($config, fn () => $redis('DEL', 'lost_swallowed'));
} catch (RedisLock\LockLostException $e) {
	var_dump($e->hasResult(), $e->getResult());
}

/* The callable's own exception wins. */
try {
	SequenceTask::execute($config, function () use ($redis) {
		$redis('DEL', 'lost_swallowed');
		throw new DomainException('business');
	});
} catch (DomainException $e) {
	echo $e->getMessage(), "\n";
}
--EXPECT--
swallowed RedisLock\LockLostException
bool(true)
string(8) "a result"
string(72) "lock "lost_swallowed" was lost: its key was deleted or has another owner"
swallowed RedisLock\LockLostException
bool(true)
NULL
string(72) "lock "lost_swallowed" was lost: its key was deleted or has another owner"
bool(true)
int(1)
business
