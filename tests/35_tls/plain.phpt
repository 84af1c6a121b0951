--TEST--
TLS: acquire, extend, wait, release, persistent connections
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/waiting.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();

$lock = new RedisLock($tls->options(['name' => 'plain', 'ttl' => 5]));
var_dump($lock->acquire(), $redis('GET', 'plain') === $lock->getToken(), $lock->keepAlive(9), $lock->isAcquired());
expect_between('ttl', $redis('PTTL', 'plain') / 1000, 8, 9);

/* A second one waits in the server's queue, and gets its turn by the release. */
no_checks($redis, 'plain');
$waiter = new Php('
	$lock = new RedisLock(unserialize($argv[1]));
	echo "waiting\n";
	var_dump($lock->acquire(10), $lock->release());
', [serialize($tls->options(['name' => 'plain']))]);
$waiter->await('waiting');
wait_until(fn () => str_contains($redis('CLIENT', 'LIST'), 'cmd=blpop'));
$released = now();
var_dump($lock->release());
$waiter->await('bool(true)');
expect_taken('the wait', $released, 0, 1);
echo $waiter->rest();

/* A wait that is over goes on in the background, on the same connection. */
$redis('SET', 'plain', 'somebody');
var_dump($lock->acquire(0.2));
$redis('DEL', 'plain');
var_dump($lock->acquire(), $lock->release());

/* A persistent one is used again: after the session tickets a server sends behind the handshake, too. */
$opened = fn () => preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
$cost = function (array $ssl = []) use ($tls, $opened) {
	$before = $opened();
	$lock = new RedisLock($tls->options(['name' => 'plain', 'persistent' => true], $ssl));
	$lock->acquire() && $lock->release() or print("not acquired\n");
	unset($lock);
	return $opened() - $before;
};
echo 'persistent: ', $cost(), $cost(), $cost(), "\n";
echo 'another peer_name: ', $cost(['peer_name' => 'localhost']), $cost(['peer_name' => 'localhost']), "\n";
echo 'not verified: ', $cost(['verify_peer' => false]), $cost(['verify_peer' => false]), "\n";
echo 'the first again: ', $cost(), "\n";
kill_clients($redis);
pause(0.002, 'what has answered in this millisecond passes for alive');
echo 'killed: ', $cost(), $cost(), "\n";
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
ttl: ok
bool(true)
the wait: ok
bool(true)
bool(false)
bool(true)
bool(true)
persistent: 100
another peer_name: 10
not verified: 10
the first again: 0
killed: 10
