--TEST--
The embedded scripts are those of lua/: phpinfo() shows their digests
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
ob_start();
(new ReflectionExtension('redislock'))->info();
$info = ob_get_clean();

foreach (glob(__DIR__ . '/../../lua/*.lua') as $file) {
	$name = basename($file, '.lua');
	echo "$name: ", str_contains($info, sha1(script_text($name))) ? 'the same' : 'not the same', "\n";
}
?>
--EXPECT--
acquire_fence: the same
extend: the same
force_release: the same
holder: the same
join: the same
lengthen: the same
look: the same
owned: the same
release: the same
renew: the same
set: the same
