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
	step('others share', $a->acquire(), $b->acquire(), $a->upgrade(), $a->isAcquired(), $redis('ZCARD', 'upgrade'));
	$b->release();
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

/* Who waits is let in by the last one. */
[$a, $b, $lost] = [$lock($shared), $lock($shared), $lock($shared)];
$_ = $a->acquire() && $b->acquire();
$writer = new Waiter($server->options(['name' => 'upgrade']));
await_queue($redis, 1);
step('a writer waits', $a->upgrade(), $b->release(), $a->upgrade(), $a->downgrade(), $a->release(), $writer->got() > 0, $writer->do('release'));

$_ = $lost->acquire();
$redis('DEL', 'upgrade');
step('no longer ours', $lost->upgrade(), $redis('EXISTS', 'upgrade'), $lost->isAcquired());

/* Killed as the only one. */
$php = new Php('$lock = new RedisLock(unserialize(base64_decode($argv[1])));
echo json_encode([$lock->acquire(), $lock->upgrade()]), "\n";
fgets(STDIN);', [base64_encode(serialize($server->options(['name' => 'upgrade', 'renew' => true] + $shared)))]);
$php->await('[true,true]');
$php->signal(SIGKILL);
step('killed', comes_true(fn () => $redis('EXISTS', 'upgrade') === 0));

echo "refused\n";
$permits = $lock(['permits' => 2]);
$_ = $permits->acquire();
$for_ever = $lock(['ttl' => 0, 'name' => 'upgrade-0']);
$_ = $for_ever->acquire();
echo outcome(fn () => $permits->upgrade()), "\n", outcome(fn () => $permits->downgrade()), "\n", outcome(fn () => $for_ever->downgrade()), "\n",
	outcome(fn () => $a->upgrade(1)), "\n";

/* What counts is how it is held: lock() may have had other options. */
foreach (['permits' => [['permits' => 3, 'weight' => 3], []], 'plain' => [['permits' => 1], ['permits' => 3]]] as $name => [$held, $configured]) {
	$own = $lock(['name' => 'upgrade-held'] + $configured);
	echo "held as $name: ", json_encode($own->lock('upgrade-held', RedisLock::NONBLOCKED, $held)), "\n";
	each_outcome(['upgrade' => 'upgrade', 'downgrade' => 'downgrade'], fn (string $method) => $own->$method());
	step('released', $own->release(), $redis('EXISTS', 'upgrade-held'));
}

/* Entered again: the code outside may rely on having it alone, after upgrade() as well. */
foreach (['plain' => [], 'shared' => $shared] as $name => $kind) {
	[$outer, $inner] = [$lock($kind + ['name' => 'upgrade-in', 'reentrant' => true]), $lock($kind + ['name' => 'upgrade-in', 'reentrant' => true])];
	step($name, $outer->acquire(), $outer->upgrade(), $inner->acquire());
	echo outcome(fn () => $inner->downgrade()), "\n";
	step('left', $lock($shared + ['name' => 'upgrade-in'])->acquire(), $inner->release(), $outer->isAcquired(), $outer->downgrade(), $redis('TYPE', 'upgrade-in'), $outer->release());
}
?>
--EXPECT--
[]
not held: false, false
others share: true, true, false, true, 2
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
others share: true, true, false, true, 2
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
a writer waits: false, true, true, true, true, true, true
no longer ours: false, 0, false
killed: true
refused
LogicException: lock "upgrade" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
LogicException: lock "upgrade" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
LogicException: lock "upgrade-0" has no expiry, and cannot be shared
ArgumentCountError: RedisLock::upgrade() expects exactly 0 arguments, 1 given
held as permits: true
upgrade: LogicException: lock "upgrade-held" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
downgrade: LogicException: lock "upgrade-held" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can
released: true, 0
held as plain: true
upgrade: true
downgrade: true
released: true, 0
plain: true, true, true
LogicException: lock "upgrade-in" was entered again, and cannot be shared: the code outside may rely on having it alone
left: false, true, true, true, 'zset', true
shared: true, true, true
LogicException: lock "upgrade-in" was entered again, and cannot be shared: the code outside may rely on having it alone
left: false, true, true, true, 'zset', true
