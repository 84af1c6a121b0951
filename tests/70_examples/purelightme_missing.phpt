--TEST--
compat/purelightme.php: without the extension it loads, and tells when a class is wanted
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
$code = <<<'PHP'
	$file = $argv[1];
	require $file;
	require $file;
	echo "loaded, extension: ", var_export(extension_loaded("redislock"), true), "\n";
	var_dump(class_exists("Purelightme\RedisLock\Unrelated"));
	try {
		throw new RuntimeException("something else");
	} catch (Purelightme\RedisLock\Exception\InternalException $e) {
	} catch (RuntimeException $e) {
		echo $e->getMessage(), "\n";
	}
	try {
		new \Purelightme\RedisLock\RedisLock([]);
	} catch (Error $e) {
		echo $e->getMessage(), "\n";
	}
	PHP;
$process = proc_open([PHP_BINARY, '-n', '-r', $code, dirname(__DIR__, 2) . '/compat/purelightme.php'],
	[['pipe', 'r'], ['pipe', 'w'], ['redirect', 1]], $pipes);
echo stream_get_contents($pipes[1]);
echo proc_close($process), "\n";
?>
--EXPECT--
loaded, extension: false
bool(false)
something else
Class "Purelightme\RedisLock\RedisLock" needs the PHP extension redislock, which is not loaded
0
