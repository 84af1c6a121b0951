--TEST--
TLS: who waits for long looks at the lock himself, on a second connection that is encrypted as well
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require_once __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue(), '--requirepass', 'right');
$redis = $tls->server->client();
$redis('AUTH', 'right');
$holder = new RedisLock($tls->options(['name' => 'look', 'ttl' => 60, 'password' => 'right']));
$_ = $holder->acquire();
$waiter = new Php('
	$lock = new RedisLock(unserialize($argv[1]));
	var_dump($lock->acquire(20));
	sleep(20);
', [serialize($tls->options(['name' => 'look', 'password' => 'right', 'client_name' => 'waiter']))]);
/* The one that blocks, and the one that looks. */
wait_until(fn () => substr_count($redis('CLIENT', 'LIST'), ' name=waiter ') === 2);
/* Nobody tells the waiter of this. */
$redis('DEL', 'look');
$before = now();
echo $waiter->line(), "\n";
expect_taken('within a second', $before, 0, 4);
?>
--EXPECT--
bool(true)
within a second: ok
