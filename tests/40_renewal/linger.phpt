--TEST--
RedisLock: linger keeps a killed holder's lock for a while, nobody else's
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$code = 'SequenceTask::execute(["unix_socket" => $argv[1], "name" => "linger", "ttl" => 30, "linger" => 2, "label" => "mine"],
	function () { echo "in\n"; fgets(STDIN); });';

$php = new Php($code, [$s->socket]);
$php->await('in');
$pid = $php->pid;
$php->signal(SIGKILL);
$start = now();
$other = new RedisLock($s->options(['name' => 'linger', 'retry_ms' => 5]));
var_dump(comes_true(fn () => $other->holder()['resting'] ?? false));
$holder = $other->holder();
var_dump($holder['resting'], $holder['label'], $other->acquire());
expect_between('rest (ms)', $redis('PTTL', 'linger'), 1, 2000);
var_dump($other->acquire(20));
expect_between('free after', now() - $start, 1.9, 6);
$other->release();

/* An end of its own making needs no linger. */
$php = new Php($code, [$s->socket]);
$php->await('in');
$php->tell('go');
$php->end();
var_dump($redis('EXISTS', 'linger'));
--EXPECT--
bool(true)
bool(true)
string(4) "mine"
bool(false)
rest (ms): ok
bool(true)
free after: ok
int(0)
