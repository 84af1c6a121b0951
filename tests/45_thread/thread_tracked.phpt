--TEST--
redislock.renewal=thread: the server tells of a loss at once
--INI--
redislock.renewal=thread
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/tracked.inc';

$s = new Server;
$redis = $s->client();
$lock = tracked_lock($redis, $s->options(['name' => 'thread_tracked']));
echo told_of_loss(fn () => $redis('DEL', 'thread_tracked')), "\n";
?>
--EXPECT--
told
