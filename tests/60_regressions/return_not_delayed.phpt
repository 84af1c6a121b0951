--TEST--
the result comes at once, not at the next beat of the interval
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
foreach ([1, 10] as $interval) {
	$start = now();
	SequenceTask::execute($s->options(['name' => 'return_not_delayed', 'ttl' => 60, 'interval' => $interval]), fn () => null);
	expect_taken("interval $interval: the first, with the child's start", $start, 0, 0.9);
	$start = now();
	for ($i = 0; $i < 20; $i++) {
		SequenceTask::execute($s->options(['name' => 'return_not_delayed', 'ttl' => 60, 'interval' => $interval]), fn () => null);
	}
	expect_taken("interval $interval: twenty more", $start, 0, 0.9);
}
$start = now();
$php = new Php('SequenceTask::execute(["unix_socket" => $argv[1], "name" => "return_not_delayed", "ttl" => 60,
	"interval" => 20], fn () => null);', [$s->socket]);
$php->rest();
$php->end();
expect_taken('a whole process', $start, 0, 3);
--EXPECT--
interval 1: the first, with the child's start: ok
interval 1: twenty more: ok
interval 10: the first, with the child's start: ok
interval 10: twenty more: ok
a whole process: ok
