--TEST--
examples/lost_lock.php: the exception arrives inside the loop
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
putenv("REDIS_URL=unix:$server->socket");
$job = new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/lost_lock.php', true) . ';');
echo $job->rest(), json_encode($job->end()), "\n";
?>
--EXPECTF--
the lock is deleted by hand
stopped after %d ms; undoing %d rows
RedisLock\LockLostException: lock "import" was lost: its key was deleted or has another owner
finished before that: no
{"exit":0}
