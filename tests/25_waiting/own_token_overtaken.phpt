--TEST--
The option token: nothing sent with it is overtaken by a later use, however short the ttl, in whichever object, after whatever else
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
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
$delay = function (Proxy $proxy, int $ms) use ($redis): void {
	$redis('CONFIG', 'RESETSTAT');
	$proxy->tell("delay $ms");
};
/* $releases: how many are overtaken. */
$play = function (string $what, array $more, callable $late, callable $again, int $releases = 1) use ($server, $redis, $try): void {
	$proxy = new Proxy($server->port);
	$options = $more + ['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'job', 'token' => RedisLock::newToken(),
		'ttl' => 20, 'read_timeout' => 0.2];
	$first = new RedisLock($options);
	$late($first, $proxy, $try, $options);
	/* From here on others overtake what was sent. */
	$proxy->tell('delay 0');
	$lock = $again($first, $options);
	$endsAt = now() + 20;
	while ($try(fn () => $lock->acquire()) !== true && now() < $endsAt);
	wait_until(fn () => preg_match('/cmdstat_eval:calls=(\d+)/', $redis('INFO', 'COMMANDSTATS'), $m) && $m[1] >= $releases, 15);
	echo "$what: ", $lock->isHeld() ? 'held' : 'free', ', ',
		$redis('GET', 'job') === $lock->getToken() ? 'ours' : 'LOST', "\n";
	$redis('DEL', 'job');
};
$unanswered = function (RedisLock $lock, Proxy $proxy, callable $try) use ($delay): void {
	$delay($proxy, 800);
	$try(fn () => $lock->acquire());
};
$same = fn (RedisLock $first) => $first;

$play('a ttl that is over before it arrives', ['ttl' => 0.3], $unanswered, function (RedisLock $first, array $options) {
	$lock = new RedisLock(['ttl' => 20] + $options);
	usleep(400_000);
	return $lock;
});
$play('no ttl', ['ttl' => 0], $unanswered, $same);
$play('two objects', [], $unanswered, fn (RedisLock $first, array $options) => new RedisLock($options));
$play('a restored lock', [], function (RedisLock $first, Proxy $proxy, callable $try, array $options) use ($redis, $delay, &$restored) {
	$redis('SET', 'job', $options['token'], 'PX', '20000');
	$restored = RedisLock::restore(['token' => null] + $options, 'job', $options['token']);
	$restored->holder();
	$delay($proxy, 800);
	$try(fn () => $restored->release());
	$redis('DEL', 'job');
}, fn (RedisLock $first, array $options) => new RedisLock($options));
unset($restored);
$play('more than 64 timeouts of others', ['read_timeout' => 0.02], function (RedisLock $first, Proxy $proxy, callable $try, array $options) use ($delay) {
	$delay($proxy, 3000);
	$try(fn () => $first->acquire());
	$others = new RedisLock(['token' => null] + $options);
	for ($i = 0; $i < 70; $i++) {
		$try(fn () => $others->lock("other$i"));
	}
}, $same, 71);
$play('release_async, and a timeout behind it', ['release_async' => true], function (RedisLock $first, Proxy $proxy, callable $try) use ($redis, $delay) {
	$first->acquire();
	$delay($proxy, 800);
	$first->release();
	$try(fn () => $first->holder());
	$redis('DEL', 'job');
}, $same);
$play('release_async, and the object is gone', ['release_async' => true, 'persistent' => true],
	function (RedisLock $first, Proxy $proxy, callable $try, array $options) use ($delay) {
		$gone = new RedisLock($options);
		$gone->acquire();
		$delay($proxy, 800);
		$gone->release();
	}, $same);

/* The object that waited is still there, its wait not yet over for the server. */
$server = new Server(false, '--hz', '1');
$redis = $server->client();
$wrong = 0;
for ($i = 0; $i < 4; $i++) {
	$options = $server->options(['name' => "wait$i", 'token' => RedisLock::newToken(), 'ttl' => 10]);
	[$one, $two] = [new RedisLock($options), new RedisLock($options)];
	$one->holder();
	$two->holder();
	$redis('SET', "wait$i", 'foreign', 'PX', '60');
	if ($one->acquire(0.05)) {
		continue;
	}
	usleep(15_000); /* asking whether it has expired would have the server look at its clock, and end the wait */
	$got = $two->acquire();
	wait_until(fn () => !str_contains($redis('CLIENT', 'LIST'), 'flags=b'));
	$redis('PING');
	$wrong += $got !== true || $redis('GET', "wait$i") !== $two->getToken();
}
echo "beside a wait: $wrong wrong\n";
?>
--EXPECT--
a ttl that is over before it arrives: held, ours
no ttl: held, ours
two objects: held, ours
a restored lock: held, ours
more than 64 timeouts of others: held, ours
release_async, and a timeout behind it: held, ours
release_async, and the object is gone: held, ours
beside a wait: 0 wrong
