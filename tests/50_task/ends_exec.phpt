--TEST--
SequenceTask::execute(): the lock is free when the process becomes another program
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$php = new Php('SequenceTask::execute(["unix_socket" => $argv[1], "name" => "ends_exec", "ttl" => 30], function () {
	echo "in\n"; pcntl_exec("/bin/sh", ["-c", "echo another; read x; echo end"]); });', [$s->socket]);
$php->await('another');
wait_until(fn () => !$redis('EXISTS', 'ends_exec'));
$php->tell('go');
$php->await('end');
var_dump($php->end());
--EXPECT--
array(1) {
  ["exit"]=>
  int(0)
}
