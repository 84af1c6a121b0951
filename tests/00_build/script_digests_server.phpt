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
int(1)
int(0)
