--TEST--
The option token: nothing that got no answer takes away what comes later, however short the ttl, in whichever object
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: what is late by nearly a second comes dozens of times */
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../chaos/Proxy.php';

$server = new Server(true);
$redis = $server->client();
$try = function (callable $do): mixed {
	try {
		return $do();
	} catch (RedisLock\ConnectionException | RedisLock\LockLostException) {
		return null;
	}
};
$options = fn (int $port) => ['host' => '127.0.0.1', 'port' => $port, 'name' => 'job', 'token' => RedisLock::newToken(), 'ttl' => 20,
	'read_timeout' => 0.2];
$sayAndFree = function (string $what, ?RedisLock $lock) use ($redis): void {
	echo "$what: ", $lock->isHeld() ? 'held' : 'free', ', ', $redis('GET', 'job') === $lock->getToken() ? 'ours' : 'LOST', ', ',
		match ($redis('PTTL', 'job') <=> 5000) { 1 => 'for its ttl', 0, -1 => $redis('PTTL', 'job') === -1 ? 'for ever' : 'for a moment' }, "\n";
	$redis('DEL', 'job');
};

echo "-- a SET that arrives late\n";
$play = function (string $what, array $more, callable $again) use ($server, $redis, $try, $options, $sayAndFree): void {
	$proxy = new Proxy($server->port);
	$more += $options($proxy->port);
	$first = new RedisLock($more);
	$redis('CONFIG', 'RESETSTAT');
	$proxy->tell('delay 800');
	$try(fn () => $first->acquire());
	/* From here on others overtake what was sent. */
	$proxy->tell('delay 0');
	$lock = $again($first, $more);
	wait_until(fn () => $try(fn () => $lock->acquire()) === true, 20);
	wait_until(fn () => preg_match('/cmdstat_set:calls=(\d+)/', $redis('INFO', 'COMMANDSTATS'), $m) && $m[1] >= 2, 15);
	$sayAndFree($what, $lock);
};
$same = fn (RedisLock $first) => $first;
$play('a ttl that is over before', ['ttl' => 0.3], function (RedisLock $first, array $options) {
	pause(0.4, 'the ttl is over then');
	return new RedisLock(['ttl' => 20] + $options);
});
$play('no ttl', ['ttl' => 0], $same);
$play('the same object', ['ttl' => 6], $same);
$play('two objects', [], fn (RedisLock $first, array $options) => new RedisLock($options));

echo "-- a release, which only a proxy could still have\n";
foreach (['a lock', 'a restored one'] as $what) {
	$of = ['ttl' => 6] + $options($server->port);
	$lock = new RedisLock($of);
	$_ = $lock->acquire();
	if ($what === 'a restored one') {
		$lock = RedisLock::restore($of, 'job', $lock->detach());
		$lock->isAcquired();
	}
	$server->freeze();
	var_dump($try(fn () => $lock->release()), $lock->isHeld());
	$server->thaw();
	wait_until(fn () => $try(fn () => $lock->acquire()) === true, 20);
	$redis('PING');
	$sayAndFree($what, $lock);
}

/* The object that waited is still there, its wait not yet over for the server. */
$server = new Server(false, '--hz', '1');
$redis = $server->client();
$wrong = 0;
for ($i = 0; $i < 4; $i++) {
	$of = $server->options(['name' => "wait$i", 'token' => RedisLock::newToken(), 'ttl' => 10]);
	[$one, $two] = [new RedisLock($of), new RedisLock($of)];
	$one->holder();
	$two->holder();
	$redis('SET', "wait$i", 'foreign', 'PX', '60');
	if ($one->acquire(0.05)) {
		continue;
	}
	pause(0.015, 'asking whether it has expired would have the server look at its clock, and end the wait');
	$got = $two->acquire(20); /* if that comes first, for the time that is given to who waits: that may be over below */
	wait_until(fn () => !str_contains($redis('CLIENT', 'LIST'), 'flags=b'));
	$redis('PING');
	$there = $redis('GET', "wait$i");
	$wrong += $got !== true || ($there !== $two->getToken() && $two->isHeld());
}
echo "beside a wait: $wrong wrong\n";
?>
--EXPECT--
-- a SET that arrives late
a ttl that is over before: held, ours, for its ttl
no ttl: held, ours, for ever
the same object: held, ours, for its ttl
two objects: held, ours, for its ttl
-- a release, which only a proxy could still have
NULL
bool(false)
a lock: held, ours, for its ttl
NULL
bool(false)
a restored one: held, ours, for its ttl
beside a wait: 0 wrong
