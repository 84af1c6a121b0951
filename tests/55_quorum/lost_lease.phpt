--TEST--
Quorums, leases: when a call finds that most servers have lost it, the others are freed at once
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3, false);
$config = ['servers' => addresses($servers, 2), 'name' => 'lease', 'ttl' => 60];
$acquire = fn (RedisLock $lock) => $lock->acquire() && comes_true(fn () => where($servers, 'lease') === 'xxx');
$delete = function () use ($servers) {
	$servers[0]->client()('DEL', 'lease');
	$servers[1]->client()('DEL', 'lease');
};

$lock = new RedisLock($config);
foreach (['keepAlive', 'isAcquired', 'release'] as $call) {
	$acquire($lock);
	$delete();
	var_dump($lock->$call());
	echo "$call(): ", nothing_left($servers), "\n";
}
var_dump($lock->release());

/* One has done what it was asked, and its answer has not been read yet. */
$servers[0]->freeze();
$_ = $lock->acquire();
$servers[0]->thaw();
wait_until(fn () => where($servers, 'lease') === 'xxx');
$delete();
var_dump($lock->release());
echo 'unread: ', nothing_left($servers), "\n";

/* The third one is away just then. */
$acquire($lock);
$delete();
$servers[2]->freeze();
var_dump($lock->keepAlive());
$servers[2]->thaw();
echo 'away: ', nothing_left($servers), "\n";

/* And has not answered yet whether it has the key: it is given up, and the lock ends then only. */
$short = new RedisLock(['servers' => addresses($servers, 1)] + $config);
$servers[2]->freeze();
var_dump($short->acquire());
$delete();
wait_until(fn () => $short->isAcquired() === false);
$servers[2]->thaw();
echo 'away since: ', nothing_left($servers), "\n";

/* It takes nothing from who comes next. */
$acquire($lock);
$delete();
var_dump($lock->isAcquired(), $lock->acquire(), comes_true(fn () => where($servers, 'lease', $lock->getToken()) === 'xxx'), $lock->isAcquired());
var_dump($lock->release());
echo nothing_left($servers), "\n";

$red = new RedLock($config['servers'], 1, 1);
$made = lock_on_all($red, $servers, 'lease');
$delete();
var_dump($red->extend($made));
echo 'RedLock: ', nothing_left($servers), "\n";
?>
--EXPECT--
bool(false)
keepAlive(): nothing is left
bool(false)
isAcquired(): nothing is left
bool(false)
release(): nothing is left
bool(false)
bool(false)
unread: nothing is left
bool(false)
away: nothing is left
bool(true)
away since: nothing is left
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
nothing is left
bool(false)
RedLock: nothing is left
