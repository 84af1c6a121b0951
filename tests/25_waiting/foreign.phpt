--TEST--
Holders that know nothing of us: they keep us out and we them; their end is seen within a slice
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();

/* As Laravel, Yii2 and the articles release: compare and delete, and tell nobody. */
$delete = 'if redis.call("get",KEYS[1]) == ARGV[1] then return redis.call("del",KEYS[1]) else return 0 end';
$redis('SET', 'foreign', 'theirs', 'NX', 'EX', 60);
$waiter = new Waiter($server->options(['name' => 'foreign', 'retry_ms' => 200]));
await_queue($redis, 1);
$freed = now();
var_dump($redis('EVAL', $delete, 1, 'foreign', 'theirs'));
/* A slice, its spread, and a tick of the server's timers; the machine may be late. */
expect_taken('after deletion', $freed, -0.001, 1.5, $waiter->got());

/* They cannot take what a waiter got, and may once it is released. */
var_dump($redis('SET', 'foreign', 'theirs', 'NX', 'EX', 60), $waiter->do('release'));
var_dump($redis('SET', 'foreign', 'theirs', 'NX', 'EX', 60));

/* A shorter retry than the server's timers keep is kept by ourselves. */
$waiter = new Waiter($server->options(['name' => 'foreign', 'retry_ms' => 10]));
wait_until(fn () => $redis('EXISTS', '{foreign}:rlk:waiters') === 1);
$redis('DEL', 'foreign');
$waiter->got();
var_dump($waiter->do('held'), preg_match('/blpop:calls=\d+/', $redis('INFO', 'commandstats'), $m), $m[0]);
/* One that slips in between two of ours is waited for like any other. */
$second = new Waiter($server->options(['name' => 'foreign', 'retry_ms' => 200]));
await_queue($redis, 1);
var_dump($redis('EVAL', 'redis.call("SET", KEYS[1], "theirs", "PX", 300) return 1', 1, 'foreign'));
$second->got();
var_dump($second->do('held'));
?>
--EXPECTF--
int(1)
after deletion: ok
NULL
bool(true)
string(2) "OK"
bool(true)
int(1)
string(13) "blpop:calls=%d"
int(1)
bool(true)
