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
check: the same
extend: the same
force_release: the same
holder: the same
join: the same
lengthen: the same
owned: the same
release: the same
renew: the same
set_check: the same
set_downgrade: the same
set_extend: the same
set_free: the same
set_holders: the same
set_join: the same
set_lengthen: the same
set_owned: the same
set_release: the same
set_take: the same
set_try: the same
set_upgrade: the same
