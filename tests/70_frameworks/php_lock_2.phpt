--TEST--
php-lock 2: the same mutex, with the keys of that version
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_adapters();
is_dir(__DIR__ . '/../../build/vendor-php-lock-2') || die('skip scripts/vendor.sh has found no php-lock 2');
?>
--FILE--
<?php
$framework = 'php-lock-2';
$prefix = 'lock_';
require __DIR__ . '/php_lock.inc';
?>
--EXPECT--
-- synchronized
[[true,"result"],0]
business0
[false,"done"]
-- somebody has it: php-lock's own
waited: ok
waited for
-- lost while the code runs
RedisLock\LockLostException
The lock job[30] was lost before the code had ended, result
-- a killed process
free
after: ok
-- trouble with the server
true < RedisLock\ConnectionException
true < RedisLock\ConnectionException
