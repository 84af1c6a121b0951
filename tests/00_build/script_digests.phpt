--TEST--
The embedded scripts are those of lua/: phpinfo() shows their digests
--EXTENSIONS--
redislock
--FILE--
<?php
ob_start();
(new ReflectionExtension('redislock'))->info();
$info = ob_get_clean();

foreach (glob(__DIR__ . '/../../lua/*.lua') as $file) {
	echo basename($file, '.lua'), ': ', str_contains($info, sha1_file($file)) ? 'the same' : 'not the same', "\n";
}
?>
--EXPECT--
acquire_fence: the same
extend: the same
force_release: the same
holder: the same
join: the same
owned: the same
release: the same
renew: the same
