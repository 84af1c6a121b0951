--TEST--
Quorums: every mask of up to five servers down, in seven ways: a majority decides at once, less than one is an exception
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
/* slow: every mask of servers down, in seven ways */
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/timing.inc';

/* With a password, so that a wrong one is one. */
$all = servers(5, true, '--requirepass', 'secret');
$clients = array_map(function (Server $s) {
	$client = $s->client();
	$client('AUTH', 'secret');
	return $client;
}, $all);
$hole = array_map(fn () => new BlackHole, range(1, 5));
$closed = array_map(fn () => Server::freePort(), range(1, 5));

/* How a server goes down, and comes back; null: it is only the client that looks elsewhere. */
$ways = [
	'killed' => [function ($i) use ($all) {
		$all[$i]->kill();
	}, function ($i) use ($all, &$clients) {
		$all[$i]->start();
		$clients[$i] = $all[$i]->client();
		$clients[$i]('AUTH', 'secret');
	}],
	'frozen' => [fn ($i) => $all[$i]->freeze(), fn ($i) => $all[$i]->thaw()],
	'READONLY' => [fn ($i) => command($i, 'REPLICAOF', '127.0.0.1', $closed[$i]),
		fn ($i) => command($i, 'REPLICAOF', 'NO', 'ONE')],
	'out of memory' => [fn ($i) => command($i, 'CONFIG', 'SET', 'maxmemory', 1),
		fn ($i) => command($i, 'CONFIG', 'SET', 'maxmemory', 0)],
	'black hole' => null,
	'refusing' => null,
	'wrong password' => null,
];

function command(int $i, string|int ...$words): void
{
	global $clients;
	$clients[$i](...$words);
}

/* A server as the client sees it. */
function address(string $way, bool $down, int $i): array
{
	global $all, $hole, $closed;
	$port = $all[$i]->port;
	if ($down && $way === 'black hole') {
		$port = $hole[$i]->port;
	} elseif ($down && $way === 'refusing') {
		$port = $closed[$i];
	}
	/* Waited for with less than a majority only. */
	return ['host' => '127.0.0.1', 'port' => $port, 'timeout' => 0.3, 'read_timeout' => 0.3,
		'password' => $down && $way === 'wrong password' ? 'wrong' : 'secret'];
}

/** What became of lock, extension and unlock; null: as it should be. */
function trial(string $way, int $n, int $mask, bool $connected): ?string
{
	global $ways, $clients;
	$down = array_filter(range(0, $n - 1), fn ($i) => $mask >> $i & 1);
	$majority = $n - count($down) >= intdiv($n, 2) + 1;
	$red = new RedLock(array_map(fn ($i) => address($way, in_array($i, $down, true), $i), range(0, $n - 1)), 1, 1);
	/* Once they were all well, and connected. */
	if ($connected && outcome(fn () => $red->unlock($red->lock('before', 10000))) !== 'true') {
		return 'could not be locked before';
	}
	array_map($ways[$way][0] ?? fn () => null, $down);
	try {
		$start = now();
		$lock = $red->lock('masks', 10000);
		$said = !$lock ? 'refused' : 'locked' . ($red->extend($lock, 10000) ? ', extended' : ', not extended') .
			($red->unlock($lock) ? ', unlocked' : ', not unlocked');
	} catch (RedisLock\ConnectionException $e) {
		$said = count($e->getNodes()) === $n ? 'exception' : 'exception with ' . json_encode($e->getNodes());
	} finally {
		$time = now() - $start;
		array_map($ways[$way][1] ?? fn () => null, $down);
	}
	unset($red);
	$left = fn () => array_filter(range(0, $n - 1), fn ($i) => $clients[$i]('EXISTS', 'masks') !== 0);
	$freed = comes_true(fn () => $left() === []);
	return match (true) {
		$said !== ($majority ? 'locked, extended, unlocked' : 'exception') => $said,
		/* One time limit, no more. The machine may be busy. */
		$time > 3 => sprintf('took %.3f s', $time),
		!$freed => 'left a key on ' . implode(', ', $left()),
		default => null,
	};
}

foreach ($ways as $way => $steps) {
	$trials = 0;
	foreach ([1, 2, 3, 4, 5] as $n) {
		for ($mask = 0; $mask < 1 << $n; $mask++) {
			/* Fewer than five: one way of being down shows that the counting is right. */
			if ($n < 5 && !in_array($way, ['refusing', 'READONLY'], true)) {
				continue;
			}
			foreach ($steps === null ? [false] : [false, true] as $connected) {
				$wrong = unless_stalled(fn () => trial($way, $n, $mask, $connected), fn ($wrong) => $wrong === null);
				$trials++;
				if ($wrong !== null) {
					printf("%s, %d servers, mask %05b, %s: %s\n", $way, $n, $mask, $connected ? 'connected' : 'fresh', $wrong);
				}
			}
		}
	}
	echo "$way: $trials\n";
}
?>
--EXPECT--
killed: 64
frozen: 64
READONLY: 124
out of memory: 64
black hole: 32
refusing: 62
wrong password: 32
