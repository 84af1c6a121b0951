--TEST--
SequenceTask::execute(): a Throwable that is returned is a result like any other
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$config = $s->options(['name' => 'throwable_returned']);

$result = SequenceTask::execute($config, fn () => new DomainException('returned'));
echo get_class($result), ': ', $result->getMessage(), "\n";

$result = SequenceTask::execute($config, function () {
	try {
		throw new Error('caught');
	} catch (Error $e) {
		return $e;
	}
});
echo get_class($result), ': ', $result->getMessage(), "\n";

$result = (new RedisLock($config))->synchronized(fn () => new RedisLock\LockLostException('also returned'));
echo get_class($result), ': ', $result->getMessage(), "\n";
--EXPECT--
DomainException: returned
Error: caught
RedisLock\LockLostException: also returned
