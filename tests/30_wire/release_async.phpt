--TEST--
release_async: the answer to a release comes with the next command, and so does what is to be said of it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$server = new Server();
$redis = $server->client();
$other = new RedisLock($server->options(['name' => 'async']));
$lock = new RedisLock($server->options(['name' => 'async', 'release_async' => true]));
for ($i = 0; $i < 1000; $i++) {
	$good = ($good ?? true) && $lock->acquire() && $lock->isHeld() && $lock->release() && !$lock->isHeld();
}
var_dump($good, wait_until(fn () => $other->acquire()), $lock->acquire(), $other->release(), $lock->acquire());

/* A waiter is woken by it as by any. */
$waiter = new Php('
	$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "async"]);
	var_dump($lock->acquire(10), $lock->release());', [$server->socket]);
wait_until(fn () => str_contains($redis('CLIENT', 'LIST'), 'cmd=blpop'));
$lock->release();
echo $waiter->rest();

echo "-- lost before\n";
foreach (['acquire', 'release', 'keepAlive', 'isAcquired', 'holder', 'forceRelease'] as $next) {
	$lock->acquire();
	$redis('SET', 'async', 'somebody');
	var_dump($lock->release());
	/* acquire() brings the answer, the others tell if it has come. It is said once. */
	wait_until(function () use ($lock, $next, &$said) {
		$said = outcome(fn () => $lock->$next());
		return str_contains($said, 'Exception');
	});
	echo $said, "\n";
	$redis('DEL', 'async');
	var_dump($lock->acquire(), $lock->release());
}
/* The answers to release and acquisition come together: no lock for who is told of trouble. */
$player = new FakeServer("EXPECT SET async * NX PX 60000\nSEND +OK\nEXPECT EVAL ...\n" .
	"EXPECT SET async * NX PX 60000\nSEND :0\\r\\n+OK\nEXPECT EVALSHA * 3 async ...\nSEND :1\nEXPECT-CLOSE");
$slow = new RedisLock($player->options(['name' => 'async', 'release_async' => true]));
$slow->acquire();
$slow->release();
echo outcome(fn () => $slow->acquire()), "\n";
var_dump($slow->isHeld());
unset($slow);
echo $player->verdict();

echo "-- the connection breaks\n";
$player = new FakeServer("EXPECT SET async * NX PX 60000\nSEND +OK\nEXPECT EVAL ...\nCLOSE\n" .
	"EXPECT EVALSHA * 3 async ...\nSEND -LOADING\nEXPECT SET async * NX PX 60000\nSEND +OK\nEXPECT EVAL ...\nSEND :1\nEXPECT-CLOSE");
$broken = new RedisLock($player->options(['name' => 'async', 'release_async' => true]));
$broken->acquire();
$broken->release();
wait_until(function () use ($broken, &$said) {
	$said = outcome(fn () => $broken->isAcquired());
	return $said !== 'false';
});
echo preg_replace('/ \(unix.*/', '', $said), "\n";
var_dump($broken->acquire(), $broken->release());
unset($broken);
echo $player->verdict();

/* Said again, and not ours: the first one was refused, so it was lost before. */
$player = new FakeServer("EXPECT SET async * NX PX 60000\nSEND +OK\nEXPECT EVAL ...\nSEND -LOADING\n" .
	"EXPECT EVALSHA * 3 async ...\nSEND :0\nEXPECT-CLOSE");
$refused = new RedisLock($player->options(['name' => 'async', 'release_async' => true]));
$refused->acquire();
$refused->release();
wait_until(function () use ($refused, &$said) {
	$said = outcome(fn () => $refused->isAcquired());
	return $said !== 'false';
});
echo $said, "\n";
unset($refused);
echo $player->verdict();

echo "-- never asked again\n";
$lock->acquire();
$redis('SET', 'async', 'somebody');
$lock->release();
$redis('DEL', 'async');
wait_until(fn () => str_contains($redis('CLIENT', 'LIST'), 'cmd=eval')); /* done, and answered */
unset($lock);
$last = new RedisLock($server->options(['name' => 'last', 'release_async' => true]));
$last->acquire();
$last->release();
unset($last);
var_dump(wait_until(fn () => $redis('EXISTS', 'last') === 0));

echo "-- several names\n";
$redis('FLUSHALL'); /* the waiters key, too */
$many = new RedisLock($server->options(['name' => 'many', 'release_async' => true]));
for ($i = 0; $i < 100; $i++) {
	$fine = ($fine ?? true) && $many->lock("a$i") && $many->lock("b$i") && $many->unlock("a$i") && $many->unlock("b$i");
}
var_dump($fine, wait_until(fn () => $redis('DBSIZE') === 0));
$many->lock('gone');
$redis('DEL', 'gone');
var_dump($many->unlock('gone'));
wait_until(function () use ($many, &$said) {
	$said = outcome(fn () => $many->unlock('other'));
	return $said !== 'false';
});
echo $said, "\n";
echo outcome(fn () => new RedisLock(['release_async' => true, 'renew' => true])), "\n";
?>
--EXPECTF--
bool(true)
bool(true)
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
-- lost before
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(true)
bool(true)
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
bool(false)
played
-- the connection breaks
RedisLock\ConnectionException: lock "async": its last release was not confirmed, so it may be locked until its ttl is over
bool(true)
bool(true)
played
RedisLock\LockLostException: lock "async" was lost: its key was deleted or has another owner
played
-- never asked again

Warning: %sLock "async" had been lost before it was released in %s on line %d
bool(true)
-- several names
bool(true)
bool(true)
bool(true)
RedisLock\LockLostException: lock "gone" was lost: its key was deleted or has another owner
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "release_async" is for leases, not for locks bound to the process
