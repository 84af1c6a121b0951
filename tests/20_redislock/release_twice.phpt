--TEST--
RedisLock::release(): false when not held, and when it is no longer ours
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'release_twice']));
var_dump($lock->release());
$_ = $lock->acquire();
var_dump($lock->release(), $lock->release());

/* Another owner's key is left alone. */
$_ = $lock->acquire();
$redis('SET', 'release_twice', 'other');
var_dump($lock->release(), $redis('GET', 'release_twice'), $lock->isHeld(), $lock->release());

/* The key is gone. */
$redis('DEL', 'release_twice');
$_ = $lock->acquire();
$redis('DEL', 'release_twice');
var_dump($lock->release(), $lock->isHeld());
?>
--EXPECT--
bool(false)
bool(true)
bool(false)
bool(false)
string(5) "other"
bool(false)
bool(false)
bool(false)
bool(false)
