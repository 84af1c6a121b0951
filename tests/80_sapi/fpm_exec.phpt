--TEST--
PHP-FPM: a worker does not become another program
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$fpm = new Fpm(new Server(true));
echo $fpm->request('$lock = locked("fpm_exec"); try { $lock->exec("true"); } catch (RedisLock\RenewalException $e) { echo $e->getMessage(), "\n"; }')->rest();
--EXPECT--
lock "fpm_exec": a process that serves requests must not become another program
