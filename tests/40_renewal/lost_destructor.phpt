--TEST--
RedisLock\LockLostException: waits for the end of a destructor
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();

class Slow
{
	public function __construct(private RedisLock $lock, private Client $redis)
	{
	}

	public function __destruct()
	{
		($this->redis)('DEL', 'lost_destructor');
		wait_until(fn () => !$this->lock->isHeld());
		pause(0.3, 'an exception would come meanwhile');
		echo "destructor finished\n";
	}
}

$lock = new RedisLock($s->options(['name' => 'lost_destructor', 'interval' => 0.1, 'renew' => true]));
$_ = $lock->acquire();
try {
	$slow = new Slow($lock, $redis);
	unset($slow);
	for (;;);
} catch (RedisLock\LockLostException) {
	echo "lost\n";
}
--EXPECT--
destructor finished
lost
