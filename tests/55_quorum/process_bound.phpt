--TEST--
Quorums, process-bound: renewed on all servers, kept by a majority, lost without one, released on all when the holder dies
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/timing.inc';
$servers = servers(5);
$config = ['servers' => addresses($servers, 0.4), 'name' => 'bound', 'ttl' => 1, 'interval' => 0.1];
$everywhere = fn () => where($servers, 'bound') === 'xxxxx';

$renewed = fn (array $servers) => array_filter($servers, fn ($server) => is_renewed($server->client(), 'bound')) === $servers;
$long = ['ttl' => 30, 'interval' => 0.1] + $config;
echo 'renewed: ', SequenceTask::execute($long, function (RedisLock $lock) use ($servers, $everywhere, $renewed) {
	wait_until($everywhere);
	return ($renewed($servers) && $lock->isHeld() ? 'held' : 'lost') . ($everywhere() ? ' everywhere' : '');
}), "\n";
echo nothing_left($servers), "\n";

/* Two die, one of them comes back empty: not ours there, but three have it. */
echo 'two die: ', SequenceTask::execute($long, function (RedisLock $lock) use ($servers, $everywhere, $renewed) {
	wait_until($everywhere);
	$servers[0]->kill();
	$servers[1]->kill();
	$servers[1]->start();
	return ($renewed(array_slice($servers, 2)) && $lock->isHeld() ? 'held ' : 'lost ') . where($servers, 'bound');
}), "\n";
$servers[0]->start();
echo nothing_left($servers), "\n";

function loss(array $config, callable $trouble): void
{
	$start = null;
	try {
		SequenceTask::execute($config, function () use ($trouble, &$start) {
			$trouble();
			$start = now();
			for ($end = now() + 10; now() < $end;) {
				usleep(1000);
			}
		});
		echo "not noticed\n";
	} catch (RedisLock\LockLostException $e) {
		echo $e->getMessage(), "\n";
		expect_taken('noticed after', $start, 0, 5);
	}
}

echo "three servers lose the key\n";
loss($config, function () use ($servers, $everywhere) {
	wait_until($everywhere);
	for ($i = 0; $i < 3; $i++) {
		$servers[$i]->client()('DEL', 'bound');
	}
});
/* What is left of it goes with its ttl at the latest. */
echo nothing_left($servers), "\n";
echo "three servers freeze\n";
loss($config, function () use ($servers, $everywhere) {
	wait_until($everywhere);
	for ($i = 0; $i < 3; $i++) {
		$servers[$i]->freeze();
	}
});
for ($i = 0; $i < 3; $i++) {
	$servers[$i]->thaw();
}
echo nothing_left($servers), "\n";

echo "the holder is killed\n";
$code = '
SequenceTask::execute(["servers" => json_decode($argv[1], true), "name" => "bound", "ttl" => 60], function () {
	echo "in\n";
	sleep(60);
});';
foreach ([[], [0, 1]] as $dead) {
	foreach ($dead as $i) {
		$servers[$i]->kill();
	}
	$holder = new Php($code, [json_encode(addresses($servers))]);
	$holder->await('in');
	await_renewal_child($holder->pid);
	$holder->signal(SIGKILL);
	$holder->end();
	$alive = array_diff_key($servers, array_flip($dead));
	echo nothing_left($alive), "\n";
	foreach ($dead as $i) {
		$servers[$i]->start();
	}
}

echo "RedLock with renew\n";
$red = new RedLock(addresses($servers), 1, 1, ['renew' => true, 'interval' => 0.2]);
$lock = $red->lock('bound', 30000);
$have = array_filter($servers, fn ($server) => $server->client()('GET', 'bound') === $lock['token']);
echo count($have) >= 3 && $renewed($have) ? "renewed\n" : "gone\n";
$red = null;
echo nothing_left($servers), "\n";
?>
--EXPECTF--
renewed: held everywhere
nothing is left
two die: held ?.xxx
nothing is left
three servers lose the key
lock "bound" was lost: %s
noticed after: ok
nothing is left
three servers freeze
lock "bound" was lost: it could not be renewed in time
noticed after: ok
nothing is left
the holder is killed
nothing is left
nothing is left
RedLock with renew
renewed
nothing is left
