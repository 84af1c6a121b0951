--TEST--
SequenceTask::execute(), synchronized(): a server that no longer answers is not asked who has the lock for longer than `wait` and a moment
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
/* slow: each try waits for its limit */
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/fake_server.inc';
/* It ends by a time limit of 50 ms, far from the 2 s that each answer has, and what the calls themselves take. */
const MOMENT = 0.05 + 0.1;

/** Seconds it takes to learn that somebody else has the lock. */
function refused(callable $run, ?RedisLock\NotAcquiredException &$said = null): float
{
	$start = now();
	try {
		$run();
		return INF;
	} catch (RedisLock\NotAcquiredException $said) {
		return taken($start);
	}
}

$s = new Server;
$holder = new RedisLock($s->options(['name' => 'not_acquired_limit', 'ttl' => 300]));
$_ = $holder->acquire();
$config = $s->options(['name' => 'not_acquired_limit', 'timeout' => 2, 'read_timeout' => 2]);

/* The server stops while somebody waits. */
$stopper = '
$client = new Client($argv[1]);
echo "ready\n";
while (!preg_match("/blocked_clients:[1-9]/", $client("INFO", "clients"))) {
	usleep(1000);
}
stop_process((int) $argv[2]);';
$ways = [
	'execute()' => fn (float $wait) => SequenceTask::execute(['wait' => $wait] + $config, 'time'),
	'synchronized()' => fn (float $wait) => (new RedisLock(['wait' => $wait] + $config))->synchronized('time'),
];
foreach ($ways as $name => $run) {
	expect_within("$name, waits", 0.3 + MOMENT, function () use ($s, $run, $stopper) {
		$process = new Php($stopper, ["unix://$s->socket", $s->pid]);
		$process->await('ready'); /* on a busy machine it may start later than the wait ends */
		$took = refused(fn () => $run(0.3));
		/* One that never saw the wait, which was over before it looked, would wait for another one for ever. */
		$process->signal(SIGKILL);
		$process->end();
		$s->thaw();
		return $took;
	}, 10);
}

/* One that answers is asked: also behind a wait, whose end the server notices later than we do. */
foreach ([0.0, 0.2] as $wait) {
	refused(fn () => with_holder(fn () => SequenceTask::execute(['wait' => $wait] + $config, 'time')), $said);
	var_dump($said->getHolder()['pid'] === getmypid());
}

/* One that says no, and nothing after that. */
expect_within('no wait', MOMENT, function () {
	$fake = new FakeServer("EXPECT SET not_acquired_limit ...\nSEND $-1\nEXPECT EVALSHA ...\nEXPECT-CLOSE");
	$took = refused(fn () => SequenceTask::execute($fake->options(['name' => 'not_acquired_limit', 'read_timeout' => 2]), 'time'), $said);
	echo $fake->verdict() === "played\n" && $said->getHolder() === null ? '' : "the holder is known\n";
	return $took;
});

/* Of several, most say no at once, and the last one says nothing. What the others say is told. */
$servers = servers(3, false);
(new RedLock(addresses(array_slice($servers, 0, 2))))->lock('not_acquired_limit', 300000);
$servers[2]->freeze();
foreach ([0.0, 0.3] as $wait) {
	$config = ['servers' => addresses($servers, 2), 'name' => 'not_acquired_limit', 'wait' => $wait, 'retry_ms' => 20];
	expect_within("several servers, wait $wait", $wait + MOMENT, fn () => unless_stalled(function () use ($config) {
		$took = refused(fn () => SequenceTask::execute($config, 'time'), $said);
		$nodes = array_values($said->getNodes());
		/* They have a moment as well, which a machine that stalls may take. */
		return ($said->getHolder()['pid'] ?? 0) === getmypid() && $nodes[0] === $nodes[1] &&
			str_starts_with($nodes[0], 'held by this process') ? $took : INF;
	}, is_finite(...)), 10);
}
$servers[2]->thaw();
?>
--EXPECT--
execute(), waits: ok
synchronized(), waits: ok
bool(true)
bool(true)
no wait: ok
several servers, wait 0: ok
several servers, wait 0.3: ok
