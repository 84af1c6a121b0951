--TEST--
Names in messages are whole, their control characters as \xNN
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$name = "binary\0names\r\nshown\x7f\u{1F512}\\n";
$options = $server->options(['name' => $name]);
$lock = new RedisLock($options);
echo outcome(fn () => $lock->detach()), "\n";
$_ = $lock->acquire();
echo outcome(fn () => $lock->acquire()), "\n";
echo preg_replace('/(host) .*/', '$1', outcome(fn () => with_holder(fn () => SequenceTask::execute($options, fn () => 1)))), "\n";
$lock->release();
$redis('SET', $name, 'other');
echo outcome(fn () => with_holder(fn () => SequenceTask::execute($options, fn () => 1))), "\n";
$redis('DEL', $name);
echo outcome(fn () => SequenceTask::execute($options, fn () => $redis('DEL', $name))), "\n";
$server->kill();
echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
?>
--EXPECT--
LogicException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n" is not held by this object
LogicException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n" is already held by this object
RedisLock\NotAcquiredException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n": held by this process itself; see "reentrant"
RedisLock\NotAcquiredException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n": held by somebody else, without expiry
RedisLock\LockLostException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n" was lost: its key was deleted or has another owner
RedisLock\ConnectionException: lock "binary\x00names\x0D\x0Ashown\x7F🔒\n": cannot connect: No such file or directory
