--TEST--
permits, shared: a waiter that gives up, is killed or vanishes does not keep the others
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$shared = ['shared' => true];
$start = fn (array $kind, float $wait = INF) => new Waiter($server->options($kind + ['name' => 'waiting_ends']), $wait);
$holder = fn (array $kind) => new RedisLock($server->options($kind + ['name' => 'waiting_ends']));

/* The head of the line gives up at the end of its wait: its turnstile is open, and the next reader gets in. */
$reader = $holder($shared);
$_ = $reader->acquire();
$writer = $start([], 1.0);
await_queue($redis, 1);
$next = $start($shared);
step('gives up', str_starts_with($writer->php->line(), 'no '), $next->got() > 0, $next->do('release'), $reader->release());

/* It is killed, or frozen, and its connection stays: the turnstile ends by itself. */
foreach ([SIGKILL, SIGSTOP] as $signal) {
	$_ = $reader->acquire();
	$writer = $start([]);
	await_queue($redis, 1);
	$next = $start($shared);
	await_queue($redis, 2);
	$writer->php->signal($signal);
	step('the next one', $next->got() > 0, $next->do('release'));
	step('and all afterwards', $reader->release(), $start($shared)->got() > 0);
	if ($signal === SIGSTOP) {
		$writer->php->signal(SIGKILL);
	}
	wait_until(fn () => $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') === 0);
	$redis('FLUSHALL');
	$reader = $holder($shared);
}

/* A holder is killed: its child wakes the writer who waits for that. */
$php = new Waiter($server->options($shared + ['name' => 'waiting_ends', 'renew' => true]));
$php->got();
$writer = $start([]);
await_queue($redis, 1);
$php->php->signal(SIGKILL);
step('after a kill', $writer->got() > 0, $writer->do('release'));

/* A holder ends in silence: a look finds the room. */
foreach ([['permits' => 2], $shared] as $kind) {
	$one = $holder($kind);
	$two = $holder($kind);
	$_ = $one->acquire();
	$_ = $two->acquire();
	$waiter = $start($kind === $shared ? [] : $kind);
	await_queue($redis, 1);
	$_ = $one->keepAlive(1.2);
	if ($kind === $shared) {
		$two->release();
	}
	step('after the end of a ttl', $waiter->got() > 0, $waiter->do('release'));
	$redis('DEL', 'waiting_ends');
}

/* Who waits with a token of its own says no token as it gives up. A foreign key may have the same value. */
foreach ([[], ['permits' => 2], $shared] as $kind) {
	$redis('SET', 'waiting_ends', '', 'PX', 60000);
	step('an empty value', $holder($kind + ['token' => 'own'])->acquire(0.3), stays_true(fn () => $redis('GET', 'waiting_ends') === '', 0.05));
}
?>
--EXPECT--
gives up: true, true, true, true
the next one: true, true
and all afterwards: true, true
the next one: true, true
and all afterwards: true, true
after a kill: true, true
after the end of a ttl: true, true
after the end of a ttl: true, true
an empty value: false, true
an empty value: false, true
an empty value: false, true
