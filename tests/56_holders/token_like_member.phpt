--TEST--
Tokens: __write__ and what ends like a member of a weight are refused at every door, and by the script
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$name = 'token_like_member';

/* What Symfony's writer and a holder of the weight 2 have: tokens, and members beside them. */
$fill = function () use ($redis, $name): void {
	$later = $redis('TIME')[0] * 1000 + 60_000;
	$redis('ZADD', $name, $later, 'writer', $later, '__write__', $later, 'heavy', $later, 'heavy#2');
	$redis('PEXPIREAT', $name, $later);
};
$doors = [
	'option' => fn ($token, $kind) => new RedisLock($server->options(['name' => $name, 'token' => $token] + $kind)),
	'lock()' => fn ($token, $kind) => (new RedisLock($server->options()))->lock($name, RedisLock::NONBLOCKED, ['token' => $token] + $kind),
	'execute()' => fn ($token, $kind) => SequenceTask::execute($server->options(['name' => $name, 'token' => $token] + $kind), fn () => 1),
	'restore()' => fn ($token, $kind) => RedisLock::restore($server->options(), $name, $token, $kind)->release(),
	'forceRelease()' => fn ($token, $kind) => (new RedisLock($server->options(['name' => $name] + $kind)))->forceRelease($token),
	'extend()' => fn ($token) => (new RedLock([$server->options()]))->extend(['resource' => $name, 'token' => $token, 'validity' => 1.0]),
	'unlock()' => fn ($token) => (new RedLock([$server->options()]))->unlock(['resource' => $name, 'token' => $token, 'validity' => 1.0]),
];
$refused = 'must not be "__write__", and must not end in "#" and a number: sets of holders have such members beside tokens';
foreach ($doors as $door => $call) {
	$said = [];
	foreach ([[], ['permits' => 9], ['shared' => true]] as $kind) {
		foreach (['__write__', 'heavy#2', '#2', 'a#07'] as $token) {
			$fill();
			$outcome = outcome(fn () => $call($token, $kind));
			$said[str_starts_with($outcome, 'ValueError: ') && str_ends_with($outcome, $refused) ? 'refused' : "$token: $outcome"] = true;
			$said["the set has " . $redis('ZCARD', $name)] = true;
		}
	}
	step($door, ...array_keys($said));
}
$redis('DEL', $name);
foreach (['a#b', '2#', '__write', '__write__ ', '#2a', '7'] as $token) {
	$lock = new RedisLock($server->options(['name' => $name, 'token' => $token, 'shared' => true]));
	step($token, $lock->acquire(), $lock->upgrade(), $lock->downgrade(), $lock->forceRelease($token), $redis('EXISTS', $name));
}

/* A client that knows no better. */
$fill();
foreach (['try', 'take', 'join', 'check', 'extend', 'lengthen', 'release', 'owned', 'free', 'upgrade', 'downgrade'] as $operation) {
	$script = script_text("set_$operation");
	foreach (['__write__', 'heavy#2'] as $token) {
		$said = $redis('EVAL', $script, 1, $name, $token, 2, 1, 60_000, '');
		if (!is_string($said) || !str_contains($said, 'no token of a holder')) {
			echo "$operation $token: ", json_encode($said), "\n";
		}
	}
}
step('the set has', $redis('ZCARD', $name));
?>
--EXPECT--
option: 'refused', 'the set has 4'
lock(): 'refused', 'the set has 4'
execute(): 'refused', 'the set has 4'
restore(): 'refused', 'the set has 4'
forceRelease(): 'refused', 'the set has 4'
extend(): 'refused', 'the set has 4'
unlock(): 'refused', 'the set has 4'
a#b: true, true, true, true, 0
2#: true, true, true, true, 0
__write: true, true, true, true, 0
__write__ : true, true, true, true, 0
#2a: true, true, true, true, 0
7: true, true, true, true, 0
the set has: 4
