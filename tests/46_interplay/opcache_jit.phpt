--TEST--
RedisLock\LockLostException: arrives with opcache, JIT off, tracing and function
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('Zend OPcache') && !is_file(PHP_EXTENSION_DIR . '/opcache.so')) {
	die('skip opcache is not installed');
}
$load = extension_loaded('Zend OPcache') ? '' : '-d zend_extension=' . PHP_EXTENSION_DIR . '/opcache.so';
if (!shell_exec(PHP_BINARY . " -n $load -r 'echo ini_get(\"opcache.jit\");'")) {
	die('skip opcache has no JIT');
}
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;

$ini = ['opcache.enable_cli=1', 'opcache.jit_buffer_size=32M', 'opcache.file_update_protection=0'];
if (PHP_DEBUG) {
	$ini[] = 'report_memleaks=0'; /* of what the engine itself loses when an exception comes between two instructions */
}
if (!extension_loaded('Zend OPcache')) {
	array_unshift($ini, 'zend_extension=' . PHP_EXTENSION_DIR . '/opcache.so');
}
foreach (['off' => 1, 'tracing' => 1, 'function' => 0] as $jit => $recursion) {
	$php = Php::program(__DIR__ . '/opcache_jit.inc', [$s->socket, 'opcache_jit', $recursion], [...$ini, "opcache.jit=$jit"]);
	echo $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
--EXPECT--
off: JIT off
hot: ok
strings: ok
arrays: ok
callbacks: ok
recursion: ok
10000
tracing: JIT on
hot: ok
strings: ok
arrays: ok
callbacks: ok
recursion: ok
10000
function: JIT on
hot: ok
strings: ok
arrays: ok
callbacks: ok
10000
