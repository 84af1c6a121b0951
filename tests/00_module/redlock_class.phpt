--TEST--
redislock.redlock_class = 0 leaves the global name RedLock to the application
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$code = <<<'CODE'
	file_put_contents($argv[1], '<?php class RedLock { public function lock() { return "of the article"; } }');
	register_shutdown_function(fn () => unlink($argv[1]));
	echo class_exists('RedLock') ? 'there: ' . (new ReflectionClass('RedLock'))->getName() : 'not there', "\n";
	echo get_class(new RedisLock\RedLock(['127.0.0.1:1'])), "\n";
	require $argv[1];
	echo (new RedLock)->lock(), "\n";
	CODE;
foreach ([[], ['redislock.redlock_class=0'], ['redislock.redlock_class=off']] as $ini) {
	echo preg_replace('/(Cannot )[^\n]*( in \S+ on line)/', '$1declare it$2', (new Php($code, [sys_get_temp_dir() . '/RedLock-' . getmypid() . '.php'], $ini))->rest());
}
var_dump(@ini_set('redislock.redlock_class', '0'), new RedLock(['127.0.0.1:1']) instanceof RedisLock\RedLock);
?>
--EXPECTF--
there: RedisLock\RedLock
RedisLock\RedLock

Fatal error: Cannot declare it in %s on line 1%A
not there
RedisLock\RedLock
of the article
not there
RedisLock\RedLock
of the article
bool(false)
bool(true)
