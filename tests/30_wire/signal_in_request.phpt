--TEST--
A signal during a request is handled before the next one
--EXTENSIONS--
redislock
posix
pcntl
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
pcntl_async_signals(true);
pcntl_signal(SIGTERM, fn () => throw new DomainException('terminated'));
$server = new FakeServer(<<<'SCRIPT'
	EXPECT SET signal_in_request * NX PX 60000
	SIGNAL 15
	DELAY 20
	SENDRAW $-1\r\n
	EXPECT-CLOSE
	SCRIPT);
$lock = new RedisLock($server->options(['name' => 'signal_in_request', 'retry_ms' => 50]));
echo outcome(fn () => $lock->acquire(5)), "\n";
unset($lock);
echo $server->verdict();
?>
--EXPECT--
DomainException: terminated
played
