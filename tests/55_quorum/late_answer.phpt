--TEST--
Quorums: a server that answers after the decision keeps no key, whatever the decision was and however late it is
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

/** Of five servers, the last two get to their work only when $meanwhile has run. */
function late(string $what, callable $before, callable $meanwhile): void
{
	$servers = servers(5);
	$red = new RedLock([...addresses(array_slice($servers, 0, 3), 2), ...addresses(array_slice($servers, 3), 0.3)], 1, 1);
	$red->unlock($red->lock('warm', 1000));
	wait_until(fn () => all_keys($servers) === []);
	$before($servers);
	$servers[3]->freeze();
	$servers[4]->freeze();
	$meanwhile($red, $servers);
	$servers[3]->thaw();
	$servers[4]->thaw();
	foreach ($servers as $s) {
		$s->client()('DEL', 'foreign'); /* also proves that all that came before has run */
	}
	echo $what, ': ', nothing_left($servers), "\n";
}

$nothing = function () {
};
late('locked and unlocked', $nothing, fn ($red) => $red->unlock($red->lock('late', 60000)));
/* Then the release goes over the next connection: with the next call, or at the end of the object. */
late('unlocked after they were given up, and the object is gone', $nothing, function (&$red) {
	$lock = $red->lock('late', 60000);
	pause(0.35, 'they are given up then');
	$red->unlock($red->lock('other', 60000));
	$red->extend($lock, 60000);
	$red->unlock($lock);
	$red = null;
});
late('refused by the others', function ($servers) {
	for ($i = 0; $i < 3; $i++) {
		$servers[$i]->client()('SET', 'foreign', 'x');
	}
}, fn ($red) => $red->lock('foreign', 60000) === false ?: print("locked?\n"));
late('refused, and the object is gone', function ($servers) {
	for ($i = 0; $i < 3; $i++) {
		$servers[$i]->client()('SET', 'foreign', 'x');
	}
}, function (&$red) {
	$red->lock('foreign', 60000);
	$red = null;
});
late('too few', function ($servers) {
	$servers[2]->freeze();
}, function ($red, $servers) {
	try {
		$red->lock('late', 60000);
	} catch (RedisLock\ConnectionException $e) {
		echo count(array_keys($e->getNodes(), 'yes')), " said yes\n";
	}
	$servers[2]->thaw();
});
/* A lock that is held keeps what it has, also where the answer is late. */
late('held', $nothing, function (&$red, $servers) {
	$lock = $red->lock('late', 60000);
	pause(0.35, 'they are given up then');
	$red->unlock($red->lock('other', 60000));
	$servers[3]->thaw();
	$servers[4]->thaw();
	echo comes_true(fn () => where($servers, 'late', $lock['token']) === 'xxxxx') ? 'all five' : where($servers, 'late'), "\n";
	var_dump($red->unlock($lock));
	$red = null;
});
?>
--EXPECT--
locked and unlocked: nothing is left
unlocked after they were given up, and the object is gone: nothing is left
refused by the others: nothing is left
refused, and the object is gone: nothing is left
2 said yes
too few: nothing is left
all five
bool(true)
held: nothing is left
