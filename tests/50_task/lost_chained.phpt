--TEST--
SequenceTask::execute(), synchronized(): the callable's exception wins, and a loss hangs at the end of its chain, however it was found
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server(false, ...UNTRACKED);
$redis = $s->client();
$config = $s->options(['name' => 'lost_chained', 'ttl' => 30, 'interval' => 0.1]);
$late = ['ttl' => 300, 'interval' => 100] + $config; /* finds out at the release only */

function chain(?Throwable $e): string
{
	for ($names = []; $e && count($names) < 9; $e = $e->getPrevious()) {
		$names[] = $e instanceof RedisLock\LockLostException ? 'lost ' . explode('"', $e->getMessage())[1] : get_class($e) . ' ' . $e->getMessage();
	}
	return implode(' <- ', $names);
}

function attempt(string $what, callable $run): void
{
	/* A renewal child that comes to look only now finds out before the code has thrown its own. */
	$said = unless_stalled(function () use ($run) {
		try {
			$run();
			return 'nothing thrown';
		} catch (Throwable $e) {
			return chain($e);
		}
	}, fn (string $said) => !str_starts_with($said, 'lost') || $what === 'not replaced');
	echo "$what: $said\n";
}

$delete = fn () => $redis('DEL', 'lost_chained');
$lose = function () use ($delete) {
	$delete();
	for ($end = now() + 20; now() < $end;);
};
$swallow = function () use ($lose) {
	try {
		$lose();
	} catch (RedisLock\LockLostException $e) {
		return $e;
	}
};
$own = fn (?Throwable $previous = null) => throw new DomainException('mine', 0, $previous);
$execute = fn (callable $code, array $with = []) => fn () => SequenceTask::execute($with + $config, $code);

attempt('found at the release', fn () => SequenceTask::execute($late, fn () => [$delete(), $own()]));
attempt('with a chain', fn () => SequenceTask::execute($late, fn () => [$delete(), $own(new LogicException('a', 0, new Error('b')))]));
attempt('an Error', fn () => SequenceTask::execute($late, fn () => [$delete(), throw new TypeError('mine', 0, new Exception('a'))]));
attempt('synchronized()', fn () => (new RedisLock($late))->synchronized(fn () => [$delete(), $own()]));
attempt('swallowed', $execute(fn () => [$swallow(), $own()]));
attempt('swallowed, synchronized()', fn () => (new RedisLock($config))->synchronized(fn () => [$swallow(), $own()]));
attempt('handed on', $execute(fn () => $own($swallow())));
attempt('handed on, deeper', $execute(fn () => $own(new LogicException('a', 0, $swallow()))));
attempt('by PHP, out of finally', $execute(function () use ($lose, $own) {
	try {
		$lose();
	} finally {
		$own();
	}
}));
attempt('not replaced', $execute($lose));
attempt('on_lost => flag', $execute(function (RedisLock $lock) use ($delete, $own) {
	$delete();
	wait_until(fn () => !$lock->isHeld());
	$own();
}, ['on_lost' => 'flag']));
attempt('told by keepAlive()', fn () => SequenceTask::execute($late, fn (RedisLock $lock) => [$delete(), var_dump($lock->keepAlive()), $own()]));
attempt('told by release()', fn () => SequenceTask::execute($late, fn (RedisLock $lock) => [$delete(), var_dump($lock->release()), $own()]));
attempt('told by an exception, released', $execute(fn (RedisLock $lock) => [$swallow(), var_dump($lock->release()), $own()]));
attempt('taken anew', $execute(fn (RedisLock $lock) => [$swallow(), $lock->release(), var_dump($lock->acquire()), $own()]));
attempt('released well', $execute(fn (RedisLock $lock) => [var_dump($lock->release()), $own()]));
attempt('not lost', $execute(fn () => $own()));

/* Locks within locks: each of them once. */
attempt('entered twice', fn () => SequenceTask::execute($entered = ['reentrant' => true] + $late,
	fn () => SequenceTask::execute($entered, fn () => [$delete(), $own()])));
attempt('two locks', fn () => SequenceTask::execute(['name' => 'lost_chained:outer'] + $late,
	fn () => SequenceTask::execute($late, fn () => [$delete(), $redis('DEL', 'lost_chained:outer'), $own()])));

/* An exception that is its own cause: it has no end to hang anything on. */
attempt('a circle', fn () => SequenceTask::execute($late, function () use ($delete) {
	$e = new DomainException('mine', 0, $inner = new LogicException('a'));
	(new ReflectionProperty(Exception::class, 'previous'))->setValue($inner, $e);
	$delete();
	throw $e;
}));
attempt('a circle further down', fn () => SequenceTask::execute($late, function () use ($delete) {
	$self = new LogicException('a');
	(new ReflectionProperty(Exception::class, 'previous'))->setValue($self, $self);
	$delete();
	throw new DomainException('mine', 0, $self);
}));
?>
--EXPECT--
found at the release: DomainException mine <- lost lost_chained
with a chain: DomainException mine <- LogicException a <- Error b <- lost lost_chained
an Error: TypeError mine <- Exception a <- lost lost_chained
synchronized(): DomainException mine <- lost lost_chained
swallowed: DomainException mine <- lost lost_chained
swallowed, synchronized(): DomainException mine <- lost lost_chained
handed on: DomainException mine <- lost lost_chained
handed on, deeper: DomainException mine <- LogicException a <- lost lost_chained
by PHP, out of finally: DomainException mine <- lost lost_chained
not replaced: lost lost_chained
on_lost => flag: DomainException mine <- lost lost_chained
bool(false)
told by keepAlive(): DomainException mine <- lost lost_chained
bool(false)
told by release(): DomainException mine <- lost lost_chained
bool(false)
told by an exception, released: DomainException mine <- lost lost_chained
bool(true)
taken anew: DomainException mine <- lost lost_chained
bool(true)
released well: DomainException mine
not lost: DomainException mine
entered twice: DomainException mine <- lost lost_chained
two locks: DomainException mine <- lost lost_chained <- lost lost_chained:outer
a circle: DomainException mine <- LogicException a <- DomainException mine <- LogicException a <- DomainException mine <- LogicException a <- DomainException mine <- LogicException a <- DomainException mine
a circle further down: DomainException mine <- LogicException a <- LogicException a <- LogicException a <- LogicException a <- LogicException a <- LogicException a <- LogicException a <- LogicException a
