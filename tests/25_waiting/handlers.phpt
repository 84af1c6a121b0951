--TEST--
Signal handlers run at once during a wait, may use the same object, and may end the wait
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
$holder = new RedisLock($server->options(['name' => 'handlers']));
no_checks($redis, 'handlers');
$_ = $holder->acquire();
$php = Php::program(__DIR__ . '/handlers.inc', [$server->socket]);
$php->await('waiting');
await_queue($redis, 1);
$sent = now();
$php->signal(SIGUSR1);
echo $php->line(), "\n", $php->line(), "\n", $php->line(), "\n";
expect_taken('handled', $sent, 0, WOKEN);
/* It waits on, where it stood. */
await_queue($redis, 1);
$freed = now();
$holder->release();
echo $php->line(), "\n";
expect_taken('handed over', $freed, 0, WOKEN);
/* An exception ends the next wait, and nothing stays behind: neither the lock nor a place in the queue. */
$php->await('bool(true)');
$_ = $holder->acquire();
$php->tell('again');
await_queue($redis, 1);
$php->signal(SIGUSR2);
$php->await('enough');
$php->await('bool(false)');
$next = new Waiter($server->options(['name' => 'handlers']));
await_queue($redis, 2); /* the place is given up with the connection, or when its next look is due */
$freed = now();
$holder->release();
expect_taken('to the next', $freed, -1, WOKEN, $next->got());
$php->tell('');
var_dump($php->end(), $next->do('held'));
?>
--EXPECT--
handler: [false,true,true,true]
"all refused"
lock "handlers" is in use by another fiber, or by the call that this signal handler interrupts
handled: ok
bool(true)
handed over: ok
to the next: ok
array(1) {
  ["exit"]=>
  int(0)
}
bool(true)
