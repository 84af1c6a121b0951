--TEST--
reentrant: entries of a lock that has ended do not count in the next one, however it ended
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$number = 0;
$named = fn (array $more) => $server->options($more + ['name' => 'reentrant_ended:' . $GLOBALS['number'], 'reentrant' => true]);
$key = fn () => 'reentrant_ended:' . $GLOBALS['number'];
$isGone = fn () => $redis('EXISTS', $key()) === 0;

/** $end(a, c) ends the lock of a, which c has entered as well, without a release that is answered. */
function play(string $how, array $options, bool $shared, callable $end): void
{
	global $number, $named, $isGone, $redis, $key;
	foreach ([1, 2] as $entries) {
		$number++;
		[$a, $b, $c] = [new RedisLock($named($options)), new RedisLock($named(array_diff_key($options, ['ttl' => 0]))),
			new RedisLock($named($options))];
		for ($i = 0; $i < $entries; $i++) {
			$a->acquire() || exit("$how: not acquired\n");
		}
		$shared && ($c->acquire() || exit("$how: not entered\n"));
		$end($a, $c);
		wait_until($isGone);
		wait_until(fn () => !$a->isHeld() && !$c->isHeld());

		/* Into the lock of b and out again. */
		$steps = ['b' => $b->acquire(), 'a' => $a->acquire(), 'c' => !$shared || $c->acquire(),
			'a leaves' => $a->release() && !$a->isHeld() && $a->release() === false,
			'c leaves' => !$shared || $c->release() && !$c->isHeld() && $c->release() === false,
			'b stays' => $b->isHeld() && $b->isAcquired(), 'b leaves' => $b->release() && $isGone()];
		/* And a lock of its own is over with one release. */
		$steps += ['again' => $a->acquire() && $a->release() && $isGone() && $a->release() === false];
		$wrong = implode(', ', array_keys(array_filter($steps, fn ($right) => !$right)));
		echo $how, $shared ? ', shared' : '', ", entered $entries: ", $wrong === '' ? 'fine' : "wrong: $wrong", "\n";
		$redis('DEL', $key());
	}
}

$ends = [
	'expired' => [['ttl' => 1.5], fn () => null],
	'deleted, and told by keepAlive()' => [[], fn ($a) => [$redis('DEL', $key()), $a->keepAlive()]],
	'deleted, and told by isAcquired()' => [[], fn ($a) => [$redis('DEL', $key()), $a->isAcquired()]],
	'replaced' => [[], fn ($a) => [$redis('SET', $key(), 'x'), $a->isAcquired(), $redis('DEL', $key())]],
	'deleted, process-bound' => [['renew' => true, 'on_lost' => 'flag'], fn ($a) => [$redis('DEL', $key()), $a->isAcquired()]],
	'forced by itself' => [[], fn ($a) => $a->forceRelease()],
	'forced by another object' => [[], fn () => (new RedisLock($named([])))->forceRelease()],
	'forced by a partner' => [[], fn ($a, $c) => $c->forceRelease()],
	'given away' => [[], fn ($a) => [$a->detach(), $redis('DEL', $key())]],
	'given away by a partner' => [[], fn ($a, $c) => $c->isHeld() ? [$c->detach(), $redis('DEL', $key())] : $a->forceRelease()],
];
foreach ($ends as $how => [$options, $end]) {
	foreach ([false, true] as $shared) {
		play($how, $options, $shared, $end);
	}
}
play('released without an answer', ['read_timeout' => 1], false, function ($a) use ($server) {
	$server->freeze();
	do {
		$said = outcome(fn () => $a->release());
	} while ($said === 'true');
	str_contains($said, 'ConnectionException') || exit("$said\n");
	$server->thaw();
});
?>
--EXPECT--
expired, entered 1: fine
expired, entered 2: fine
expired, shared, entered 1: fine
expired, shared, entered 2: fine
deleted, and told by keepAlive(), entered 1: fine
deleted, and told by keepAlive(), entered 2: fine
deleted, and told by keepAlive(), shared, entered 1: fine
deleted, and told by keepAlive(), shared, entered 2: fine
deleted, and told by isAcquired(), entered 1: fine
deleted, and told by isAcquired(), entered 2: fine
deleted, and told by isAcquired(), shared, entered 1: fine
deleted, and told by isAcquired(), shared, entered 2: fine
replaced, entered 1: fine
replaced, entered 2: fine
replaced, shared, entered 1: fine
replaced, shared, entered 2: fine
deleted, process-bound, entered 1: fine
deleted, process-bound, entered 2: fine
deleted, process-bound, shared, entered 1: fine
deleted, process-bound, shared, entered 2: fine
forced by itself, entered 1: fine
forced by itself, entered 2: fine
forced by itself, shared, entered 1: fine
forced by itself, shared, entered 2: fine
forced by another object, entered 1: fine
forced by another object, entered 2: fine
forced by another object, shared, entered 1: fine
forced by another object, shared, entered 2: fine
forced by a partner, entered 1: fine
forced by a partner, entered 2: fine
forced by a partner, shared, entered 1: fine
forced by a partner, shared, entered 2: fine
given away, entered 1: fine
given away, entered 2: fine
given away, shared, entered 1: fine
given away, shared, entered 2: fine
given away by a partner, entered 1: fine
given away by a partner, entered 2: fine
given away by a partner, shared, entered 1: fine
given away by a partner, shared, entered 2: fine
released without an answer, entered 1: fine
released without an answer, entered 2: fine
