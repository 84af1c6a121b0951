--TEST--
Quorums of servers that differ: programs and versions, passwords, sockets, few rights; each of them counts
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
const LIMITS = ['timeout' => 5, 'read_timeout' => 5];

/** A user of that name and these rights. */
function allow(Server $server, string $name, string ...$rights): Server
{
	$server->client()('ACL', 'SETUSER', $name, 'on', '>pw', '~*', ...$rights) === 'OK' || throw new RuntimeException($name);
	return $server;
}

/** One of each kind, and how it is reached. @param list<string> $programs @return array{list<Server>, list<array|string>} */
function kinds(array $programs): array
{
	$secret = server_of($programs[1], true, '--requirepass', 'secret');
	$servers = [server_of($programs[0], true), $secret, server_of($programs[2], false), server_of($programs[3], false),
		server_of($programs[4], false)];
	allow($servers[3], 'few', '+set', '+get', '+del', '+pttl', '+pexpire', '+eval', '+evalsha');
	allow($servers[4], 'all', '+@all');
	return [$servers, [
		['host' => '127.0.0.1', 'port' => $servers[0]->port],
		"redis://:secret@127.0.0.1:$secret->port",
		['path' => $servers[2]->socket],
		['path' => $servers[3]->socket, 'username' => 'few', 'password' => 'pw'],
		['path' => $servers[4]->socket, 'username' => 'all', 'password' => 'pw'],
	]];
}

/** Also where a password is needed. */
function client_of(Server $server): Client
{
	$client = $server->client();
	$client('AUTH', 'secret'); /* refused where there is no password */
	return $client;
}

/** Values of a key, or whether there are no keys. */
function on_each(array $servers, string ...$command): array
{
	return array_map(fn ($server) => client_of($server)(...$command), $servers);
}

function nothing_on(array $servers): string
{
	$none = fn () => array_sum(on_each($servers, 'DBSIZE')) === 0;
	return comes_true($none) ? 'nothing is left' : 'left: ' . json_encode(on_each($servers, 'KEYS', '*'));
}

/** What a quorum is for, with these servers alive. */
function works(array $entries, array $alive, string $who): void
{
	$red = new RedLock($entries, 5, 20, LIMITS);
	for ($i = 0; $i < 5; $i++) {
		/* Where the last rival is still being released there is a no, and nothing for it but to try again. */
		$everywhere = comes_true(function () use ($red, $alive, &$lock) {
			$lock = $red->lock('mixed', 60000);
			$on_all = fn () => array_unique(array_values(on_each($alive, 'GET', 'mixed'))) === [$lock['token']];
			return comes_true($on_all, 0.1) || !$red->unlock($lock);
		});
		if (!$everywhere || (new RedLock($entries, 1, 1, LIMITS))->lock('mixed', 1000) !== false) {
			echo "$who: not locked on each of them\n";
		}
		/* A majority is enough for a yes; the others follow. */
		if (!$red->extend($lock, 90000) || !comes_true(fn () => min(on_each($alive, 'PTTL', 'mixed')) > 60000)) {
			echo "$who: not extended on each of them\n";
		}
		$red->unlock($lock) || print("$who: not unlocked\n");
	}
	echo "$who: ", nothing_on($alive), "\n";
	echo "$who, bound: ", SequenceTask::execute(['servers' => $entries, 'name' => 'mixed', 'ttl' => 6, 'interval' => 0.2] + LIMITS,
		function (RedisLock $lock) use ($alive) {
			$renewed = array_filter($alive, fn ($server) => is_renewed(client_of($server), 'mixed', 6));
			return ($lock->isHeld() ? 'kept' : 'lost') . (count($renewed) < 3 ? ', not renewed by a majority' : '');
		}), ', ', nothing_on($alive), "\n";
}

$programs = server_programs();
foreach (array_keys($programs) as $first) {
	ob_start();
	[$servers, $entries] = kinds(array_map(fn ($i) => $programs[($first + $i) % count($programs)], range(0, 4)));
	works($entries, $servers, 'all five');
	/* Without the two ordinary ones, no other may fail. */
	$servers[0]->kill();
	$servers[2]->kill();
	works($entries, [1 => $servers[1], 3 => $servers[3], 4 => $servers[4]], 'the odd three');
	$said = ob_get_clean();
	if ($first === 0) {
		echo $said;
	} elseif ($said !== $expected) {
		echo "from {$programs[$first]} on:\n$said";
	}
	$expected ??= $said;
	array_map(fn ($server) => $server->end(), $servers);
}
?>
--EXPECT--
all five: nothing is left
all five, bound: kept, nothing is left
the odd three: nothing is left
the odd three, bound: kept, nothing is left
