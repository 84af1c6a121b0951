--TEST--
Quorums of servers that differ: programs and versions, passwords, sockets, few rights, no scripts; each of them counts
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/translator.inc';
const LIMITS = ['timeout' => 5, 'read_timeout' => 5];

/** A user of that name and these rights. */
function allow(Server $server, string $name, string ...$rights): Server
{
	$server->client()('ACL', 'SETUSER', $name, 'on', '>pw', '~*', ...$rights) === 'OK' || throw new RuntimeException($name);
	return $server;
}

/** Does it compare and delete by itself? */
function has_native(Server $server): bool
{
	return count($server->client()('COMMAND', 'INFO', 'delex', 'delifeq')[0] ?? []) > 0 ||
		count($server->client()('COMMAND', 'INFO', 'delifeq')[0] ?? []) > 0;
}

function without_scripts(Server $server): array
{
	if (has_native($server)) {
		allow($server, 'mute', '+@all', '-eval', '-evalsha');
		return ['path' => $server->socket];
	}
	allow($server, 'mute', '+@all');
	$translator = new Translator($server, mt_rand(0, 1) ? 'delex' : 'delifeq', ['eval', 'evalsha']);
	return ['path' => $translator->socket];
}

/** One of each kind, and how it is reached. @param list<string> $programs @return array{list<Server>, list<array|string>} */
function kinds(array $programs): array
{
	$secret = server_of($programs[1], true, '--requirepass', 'secret');
	$servers = [server_of($programs[0], true), $secret, server_of($programs[2], false), server_of($programs[3], false),
		server_of($programs[4], false)];
	allow($servers[3], 'few', '+set', '+get', '+del', '+pttl', '+pexpire', '+eval', '+evalsha');
	return [$servers, [
		['host' => '127.0.0.1', 'port' => $servers[0]->port],
		"redis://:secret@127.0.0.1:$secret->port",
		['path' => $servers[2]->socket],
		['path' => $servers[3]->socket, 'username' => 'few', 'password' => 'pw'],
		without_scripts($servers[4]) + ['username' => 'mute', 'password' => 'pw'],
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
		/* More than once, perhaps: a server that refuses scripts says so when the majority has long agreed. */
		if (!comes_true(fn () => $red->extend($lock, 90000) && min(on_each($alive, 'PTTL', 'mixed')) > 80000)) {
			echo "$who: not extended on each of them\n";
		}
		$red->unlock($lock) || print("$who: not unlocked\n");
	}
	echo "$who: ", nothing_on($alive), "\n";
	/* A ttl that ends while nothing_on() waits: where scripts are refused only behind the decision, the release is left to it. */
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

echo "rights that a lock could be taken with, but not given back\n";
[$poor, $plain, $other] = array_map(fn () => server_of($programs[array_key_last($programs)], false), range(1, 3));
$poor = ['path' => allow($poor, 'poor', '+set', '+get', '+del')->socket, 'username' => 'poor', 'password' => 'pw'];
$entries = [$poor, ['path' => $plain->socket], ['path' => $other->socket]];
var_dump(is_array($lock = ($red = new RedLock($entries, 1, 1, LIMITS))->lock('poor:1', 60000)), $red->unlock($lock));
allow($other, 'poor', '+set', '+get', '+del');
$entries[2] += ['username' => 'poor', 'password' => 'pw'];
/* What they were given is left to its ttl: not to be deleted without comparing, nor to pass for another's lock. */
foreach (['taken', 'met'] as $time) {
	try {
		(new RedLock($entries, 1, 1, LIMITS))->lock('poor:2', 60000);
	} catch (RedisLock\ConnectionException $e) {
		echo implode("\n", preg_grep('/yes|no answer yet/', $e->getNodes(), PREG_GREP_INVERT)), "\n";
	}
}
echo nothing_on([$plain]), ', ', $other->client()('EXISTS', 'poor:2'), " there\n";
?>
--EXPECT--
all five: nothing is left
all five, bound: kept, nothing is left
the odd three: nothing is left
the odd three, bound: kept, nothing is left
rights that a lock could be taken with, but not given back
bool(true)
bool(true)
the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released
the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released
the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released
the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released
nothing is left, 1 there
