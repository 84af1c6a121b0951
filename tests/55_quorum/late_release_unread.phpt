--TEST--
Quorums: a release whose answer nobody reads is done by a server that has forgotten the scripts
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

/**
 * The third server gets to its work when $meanwhile has run. After that nobody of ours asks anything more: what is kept of it
 * is idle.
 */
function late(string $what, array $servers, callable $meanwhile): void
{
	$servers[2]->client()('SCRIPT', 'FLUSH');
	$servers[2]->freeze();
	$kept = $meanwhile();
	$servers[2]->thaw();
	$servers[2]->client()('PING');
	array_map(fn (Server $s) => $s->client()('DEL', 'foreign'), [$servers[0], $servers[1]]);
	echo $what, ': ', nothing_left($servers), "\n";
}

/** On most of the servers somebody else has it. */
function take(array $servers): void
{
	$servers[0]->client()('SET', 'foreign', 'x');
	$servers[1]->client()('SET', 'foreign', 'x');
}

/** One that has been connected to all of them for a while, and has said to each what there is to say. */
function warm(array $servers): RedLock
{
	$red = new RedLock(addresses($servers, 2), 1, 1);
	for ($i = 0; $i < 3; $i++) {
		$red->unlock(lock_on_all($red, $servers, 'warm'));
	}
	wait_until(fn () => all_keys($servers) === []);
	return $red;
}

$servers = servers(3, false);
$red = warm($servers);
late('refused', $servers, function () use ($servers, $red) {
	take($servers);
	var_dump($red->lock('foreign', 60000));
});
late('locked without it', $servers, fn () => $red->unlock($red->lock('late', 60000)));
$lock = lock_on_all($red, $servers, 'late');
late('locked, unlocked without it', $servers, fn () => $red->unlock($lock));
$lock = lock_on_all($red, $servers, 'late');
late('and the object is gone', $servers, function () use (&$red, $lock) {
	$red->unlock($lock);
	$red = null;
});

$config = ['servers' => addresses($servers, 2), 'name' => 'late', 'ttl' => 60, 'renew' => true];
$bound = new RedisLock($config);
for ($i = 0; $i < 3; $i++) {
	$_ = $bound->acquire();
	wait_until(fn () => where($servers, 'late') === 'xxx');
	$bound->release();
	wait_until(fn () => all_keys($servers) === []);
}
$_ = $bound->acquire();
wait_until(fn () => where($servers, 'late') === 'xxx');
late('process-bound, unset', $servers, function () use (&$bound) {
	$bound = null;
});
$bound = new RedisLock($config);
$_ = $bound->acquire();
$bound->release();
late('process-bound, acquired without it, unset', $servers, function () use (&$bound) {
	$_ = $bound->acquire();
	$bound = null;
});
?>
--EXPECT--
bool(false)
refused: nothing is left
locked without it: nothing is left
locked, unlocked without it: nothing is left
and the object is gone: nothing is left
process-bound, unset: nothing is left
process-bound, acquired without it, unset: nothing is left
