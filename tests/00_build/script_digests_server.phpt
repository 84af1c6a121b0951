--TEST--
The digests of lua/ are those the server computes, and its copy runs
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server();
$redis = $server->client();
foreach (glob(__DIR__ . '/../../lua/*.lua') as $file) {
	$text = script_text(basename($file, '.lua'));
	$digest = $redis('SCRIPT', 'LOAD', $text);
	echo basename($file, '.lua'), ': ', $digest === sha1($text) ? 'the same' : "not the same: $digest", "\n";
}

$redis('SET', 'script_digests_server', 'token');
$release = sha1(script_text('release'));
var_dump($redis('EVALSHA', $release, 1, 'script_digests_server', 'token'));
var_dump($redis('EVALSHA', $release, 1, 'script_digests_server', 'token'));
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
int(1)
int(0)
