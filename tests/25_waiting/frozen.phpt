--TEST--
A waiter that froze costs the others a slice, and never believes in a lock that another has
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
$holder = new RedisLock($server->options(['name' => 'frozen', 'ttl' => 60]));
$holder->acquire();
$first = new Waiter($server->options(['name' => 'frozen', 'ttl' => 60]));
await_queue($redis, 1);
$second = new Waiter($server->options(['name' => 'frozen', 'ttl' => 60]));
await_queue($redis, 2);
$first->php->signal(SIGSTOP);
$freed = now();
$holder->release();
/* The turn is the first one's, who has a claim of 2 s and does not know. */
var_dump(wait_until(fn () => $redis('EXISTS', 'frozen') === 1));
expect_between('claim, ms', $redis('PTTL', 'frozen'), 1, 2000);
/* The other one looks again after at most 5.25 s, and a tick. */
expect_between('to the second', $second->got() - $freed, 1, 8);
$first->php->signal(SIGCONT);
/* It waits on, and gets it in its turn. */
var_dump(await_queue($redis, 1), $second->do('held'), $second->do('release'));
$first->got();
var_dump($first->do('held'), $first->do('release'));
?>
--EXPECT--
bool(true)
claim, ms: ok
to the second: ok
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
