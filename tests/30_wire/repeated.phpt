--TEST--
Commands that may run twice are sent again when the connection broke
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET repeated mine NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 1 repeated mine 60000
	CLOSE
	EXPECT EVALSHA * 1 repeated mine 60000
	SEND :1
	EXPECT EVALSHA * 1 repeated mine
	CLOSE
	EXPECT EVALSHA * 1 repeated mine
	SEND :30000
	EXPECT EVALSHA * 3 repeated {repeated}:rlk:waiters {repeated}:rlk:signal mine
	CLOSE
	EXPECT EVALSHA * 3 repeated {repeated}:rlk:waiters {repeated}:rlk:signal mine
	SEND :0
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'repeated', 'token' => 'mine']));
var_dump($lock->acquire(), $lock->keepAlive(), $lock->isAcquired());
/* The first release was not answered, the second found nothing: within validity the first must have done it. */
var_dump($lock->release(), $lock->isHeld());
unset($lock);
echo $server->verdict();
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
played
