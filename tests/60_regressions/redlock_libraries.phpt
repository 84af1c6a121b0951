--TEST--
RedLock does not do what articles and popular libraries do: quorum in floats, exceptions for a minority, waits of a minute, keys and tokens left over
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/timing.inc';
$servers = servers(6, false);

/* min(n, n / 2 + 1) is 3.5 of 5: four would be asked for, and 2 of 4 taken for enough by those who round down. */
foreach ([1, 2, 3, 4, 5, 6] as $n) {
	$of = array_slice($servers, 0, $n);
	for ($enough = 0, $free = $n; $free >= 0; $free--) {
		foreach ($of as $i => $s) {
			$s->client()($i < $free ? 'DEL' : 'SET', 'quorum', ...($i < $free ? [] : ['foreign']));
		}
		$red = new RedLock(addresses($of), 1, 1);
		if (($lock = $red->lock('quorum', 10000)) !== false) {
			$enough = $free;
			$red->unlock($lock);
		}
		wait_until(fn () => substr_count(where($of, 'quorum'), 'x') === $n - $free);
	}
	echo "$n servers: $enough are enough\n";
}
foreach ($servers as $s) {
	$s->client()('DEL', 'quorum');
}

/* A server that cannot be reached when the object is made or the lock is taken is no exception. */
$servers[0]->kill();
$red = new RedLock(addresses(array_slice($servers, 0, 3)), 1, 1);
var_dump($red->unlock($red->lock('minority', 10000)));

/* The read timeout of a client that only knows a connect timeout is default_socket_timeout: 60 s for each server. */
$servers[1]->freeze();
$start = now();
$red = new RedLock(array_map(fn (Server $s) => "unix:$s->socket", array_slice($servers, 1, 3)), 1, 1);
/* The others have 50 ms. */
var_dump(unless_stalled(fn () => $red->unlock($red->lock('frozen', 10000)), fn (bool $done) => $done));
expect_taken('one frozen', $start, 0, 5);
$servers[1]->thaw();
$servers[0]->start();

/* One attempt after the other, each against a server that refuses: nothing of the failed ones stays, and each has a token
 * of its own. */
foreach ([3, 4, 5] as $i) {
	$servers[$i]->client()('SET', 'attempts', 'foreign');
}
$monitor = $servers[0]->client();
$monitor('MONITOR');
var_dump((new RedLock(addresses($servers), 2, 20))->lock('attempts', 60000));
$servers[0]->client()('ECHO', 'end');
for ($tokens = []; !str_contains($line = $monitor->receive(), '"ECHO" "end"');) {
	if (preg_match('/"SET" "attempts" "(\S+)"/', $line, $m)) {
		$tokens[] = $m[1];
	}
}
echo count($tokens), ' attempts, ', count(array_unique($tokens)), " tokens\n";
foreach ([3, 4, 5] as $i) {
	$servers[$i]->client()('DEL', 'attempts');
}
echo nothing_left($servers), "\n";
?>
--EXPECT--
1 servers: 1 are enough
2 servers: 2 are enough
3 servers: 2 are enough
4 servers: 3 are enough
5 servers: 3 are enough
6 servers: 4 are enough
bool(true)
bool(true)
one frozen: ok
bool(false)
20 attempts, 20 tokens
nothing is left
