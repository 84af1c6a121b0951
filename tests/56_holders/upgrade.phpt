--TEST--
RedisLock::upgrade(), downgrade(): from sharing a lock to having it alone, and back
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$shared = ['shared' => true];
$lock = fn (array $more = []) => new RedisLock($server->options($more + ['name' => 'upgrade']));

foreach ([[], ['renew' => true, 'ttl' => 30, 'interval' => 0.1]] as $own) {
	echo json_encode($own), "\n";
	[$a, $b] = [$lock($own + $shared), $lock($own + $shared)];
	step('not held', $a->upgrade(), $a->downgrade());
	step('others share', $a->acquire(), $b->acquire(), $a->upgrade(), $a->upgrade(1), $a->isAcquired(), $redis('ZCARD', 'upgrade'));
	$b->release();
	/* Its turn ends when the server looks at its timers. */
	wait_until(fn () => $redis('EXISTS', '{upgrade}:rlk:turn') === 0);
	$token = $a->getToken();
	step('alone', $a->upgrade(), $redis('GET', 'upgrade') === $token, $a->getToken() === $token, $a->upgrade(), $b->acquire(), $lock()->acquire());
	step('as which it is held', $a->isHeld(), $a->isAcquired(), $a->keepAlive(40), $redis('PTTL', 'upgrade') > 35_000, $a->holder()['token'] === $token);
	if ($own !== []) {
		$before = $redis('PTTL', 'upgrade');
		step('and renewed', comes_true(fn () => $redis('PTTL', 'upgrade') > $before - 5) && stays_true(fn () => $a->isHeld(), 0.3));
	}
	step('shared again', $a->downgrade(), $b->acquire(), $a->downgrade(), $a->isAcquired(), $a->release(), $redis('ZCARD', 'upgrade'));
	step('the other one', $b->upgrade(), $b->release(), $redis('EXISTS', 'upgrade'));
	step('kept', $a->acquire(), $a->upgrade(), strlen($token = $a->detach()) > 20, $redis('TYPE', 'upgrade'));
	$restored = RedisLock::restore($server->options(), 'upgrade', $token, $shared);
	step('restored', $restored->isAcquired(), $restored->downgrade(), $redis('TYPE', 'upgrade'), $restored->release());

	$plain = $lock($own);
	step('a plain lock', $plain->acquire(), $plain->upgrade(), $plain->downgrade(), $redis('TYPE', 'upgrade'), $b->acquire(), $plain->upgrade());
	if ($own !== []) {
		$score = fn () => $redis('ZSCORE', 'upgrade', $plain->getToken());
		$before = $score();
		step('is renewed as it is now', comes_true(fn () => $score() > $before), $plain->isHeld());
	}
	step('and released', $plain->release(), $b->release(), $redis('EXISTS', 'upgrade'), $plain->acquire(), $redis('TYPE', 'upgrade'), $plain->release());
}

echo "waiting\n";
/* Others leave; those who came later, readers and writers, are behind. */
[$a, $b] = [$lock($shared), $lock($shared)];
$code = '
$lock = new RedisLock(unserialize(base64_decode($argv[1])));
$_ = $lock->acquire();
echo "shares\n";
fgets(STDIN);
echo $lock->upgrade((float) $argv[2]) ? "alone" : "shares still", "\n";
fgets(STDIN);
echo $lock->isAcquired() ? "released " . json_encode($lock->release()) : "lost", "\n";
';
$start = function (string $wait, array $more = []) use ($server, $code, $shared) {
	$php = new Php($code, [base64_encode(serialize($server->options($more + ['name' => 'upgrade'] + $shared))), $wait]);
	$php->await('shares');
	return $php;
};
$_ = $a->acquire();
$php = $start('20', ['renew' => true]);
$php->tell('');
await_queue($redis, 1);
$late = new Waiter($server->options(['name' => 'upgrade'] + $shared));
await_queue($redis, 2);
step('it shares meanwhile', $redis('ZCARD', 'upgrade'), $b->acquire(), $a->upgrade(5), $a->release());
$php->await('alone');
step('it is alone', $redis('TYPE', 'upgrade'));
$php->tell('');
$php->await('released true');
step('and the next one', $late->got() > 0, $late->do('release'));

/* In vain. */
$_ = $a->acquire();
$php = $start('0.3');
$php->tell('');
$php->await('shares still');
step('the turnstile is open', comes_true(fn () => $redis('EXISTS', '{upgrade}:rlk:turn') === 0), $redis('ZCARD', 'upgrade'), $b->acquire(), $b->release());
$php->tell('');
$php->await('released true');

/* A writer waits for it to leave: it has to. */
$writer = new Waiter($server->options(['name' => 'upgrade']));
await_queue($redis, 1);
$php = null;
$b = $lock($shared);
step('alone, although a writer waits', $a->upgrade(5), $a->downgrade());
step('the writer', $a->release(), $writer->got() > 0, $writer->do('release'));

/* Killed while it waits, and killed as the only one. */
foreach (['waiting', 'alone'] as $when) {
	if ($when === 'waiting') {
		$_ = $a->acquire();
	}
	wait_until(fn () => $redis('EXISTS', '{upgrade}:rlk:turn') === 0);
	$php = $start('20', ['renew' => true]);
	$php->tell('');
	if ($when === 'waiting') {
		await_queue($redis, 1);
	} else {
		$php->await('alone');
	}
	$php->signal(SIGKILL);
	step("killed $when", comes_true(fn () => $redis('ZCARD', 'upgrade') === ($when === 'waiting' ? 1 : 0)),
		$when === 'waiting' ? $a->release() : true, comes_true(fn () => $redis('EXISTS', 'upgrade') === 0));
}

echo "refused\n";
$permits = $lock(['permits' => 2]);
$_ = $permits->acquire();
$for_ever = $lock(['ttl' => 0, 'name' => 'upgrade-0']);
$_ = $for_ever->acquire();
echo outcome(fn () => $permits->upgrade()), "\n", outcome(fn () => $permits->downgrade()), "\n", outcome(fn () => $for_ever->downgrade()), "\n",
	outcome(fn () => $a->upgrade(true)), "\n", outcome(fn () => $a->upgrade(-1)), "\n";
?>
--EXPECT--
[]
not held: false, false
others share: true, true, false, false, true, 2
alone: true, true, true, true, false, false
as which it is held: true, true, true, true, true
shared again: true, true, true, true, true, 1
the other one: true, true, 0
kept: true, true, true, 'string'
restored: true, true, 'zset', true
a plain lock: true, true, true, 'zset', true, false
and released: true, true, 0, true, 'string', true
{"renew":true,"ttl":30,"interval":0.1}
not held: false, false
others share: true, true, false, false, true, 2
alone: true, true, true, true, false, false
as which it is held: true, true, true, true, true
and renewed: true
shared again: true, true, true, true, true, 1
the other one: true, true, 0
kept: true, true, true, 'string'
restored: true, true, 'zset', true
a plain lock: true, true, true, 'zset', true, false
is renewed as it is now: true, true
and released: true, true, 0, true, 'string', true
waiting
it shares meanwhile: 2, false, false, true
it is alone: 'string'
and the next one: true, true
the turnstile is open: true, 2, true, true
alone, although a writer waits: true, true
the writer: true, true, true
killed waiting: true, true, true
killed alone: true, true, true
refused
LogicException: lock "upgrade" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
LogicException: lock "upgrade" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
LogicException: lock "upgrade-0" has no expiry, and cannot be shared
TypeError: RedisLock::upgrade(): Argument #1 ($wait) must be of type ?float, bool given; INF waits without limit, 0 is one try
ValueError: RedisLock::upgrade(): Argument #1 ($wait) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -1 given
