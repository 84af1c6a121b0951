--TEST--
Quorums, process-bound: what a lost lock left is freed on every server, though nobody releases it, also where a server was away
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3, false);
$config = ['servers' => addresses($servers, 0.2), 'name' => 'unreleased', 'ttl' => 60, 'interval' => 0.1, 'renew' => true, 'on_lost' => 'flag'];

/** Two of three lose the key. */
$delete = function () use ($servers) {
	$servers[0]->client()('DEL', 'unreleased');
	$servers[1]->client()('DEL', 'unreleased');
};
/* On all of them: one that was away a moment ago may be left out at first. */
$acquire = fn (RedisLock $lock) => comes_true(function () use ($lock, $servers) {
	$_ = $lock->acquire();
	return comes_true(fn () => where($servers, 'unreleased') === 'xxx', 0.2) || ($lock->release() && false);
});
$lost = fn (RedisLock $lock) => comes_true(fn () => !$lock->isHeld()) ? '' : 'still held, ';

$lock = new RedisLock($config);
$acquire($lock);
$delete();
echo 'all there: ', $lost($lock), nothing_left($servers), "\n";
var_dump($lock->release(), $lock->release());

$acquire($lock);
$servers[2]->freeze();
$delete();
echo 'the third one away: ', $lost($lock);
$servers[2]->thaw();
echo nothing_left($servers), "\n";
$old = $lock->getToken();
$acquire($lock);
var_dump($lock->isAcquired(), $lock->release());
echo nothing_left($servers), "\n";

/* Nobody but the object knows of the SET there. */
$servers[2]->freeze();
var_dump($lock->acquire());
$delete();
echo 'away when it was acquired: ', $lost($lock);
$servers[2]->thaw();
echo nothing_left($servers), "\n";
$lock->release();

/* Found by the object itself, long before the child would. */
$bound = new RedisLock(['interval' => 20] + $config);
foreach (['keepAlive', 'isAcquired'] as $call) {
	$acquire($bound);
	$delete();
	var_dump($bound->$call());
	echo "found by $call(): ", nothing_left($servers), "\n";
}

/* The release of the one before takes nothing from the next, whenever it arrives. */
$acquire($lock);
$servers[2]->freeze();
$delete();
echo 'acquired again meanwhile: ', $lost($lock);
var_dump($lock->acquire());
$servers[2]->thaw();
wait_until(fn () => where($servers, 'unreleased', $lock->getToken()) === 'xx.' || where($servers, 'unreleased', $lock->getToken()) === 'xxx');
pause(0.5, 'a late release would come meanwhile');
var_dump($lock->isAcquired(), $lock->release());
echo nothing_left($servers), "\n";
?>
--EXPECT--
all there: nothing is left
bool(false)
bool(false)
the third one away: nothing is left
bool(true)
bool(true)
nothing is left
bool(true)
away when it was acquired: nothing is left
bool(false)
found by keepAlive(): nothing is left
bool(false)
found by isAcquired(): nothing is left
acquired again meanwhile: bool(true)
bool(true)
bool(true)
nothing is left
