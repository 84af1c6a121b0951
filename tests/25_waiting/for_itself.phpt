--TEST--
Waiting without limit for a lock that the same code holds by another object would never end, and is refused
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/loop.inc';
$server = new Server();
$make = fn (array $options = []) => new RedisLock($server->options($options + ['name' => 'for_itself']));
/* What comes instead of waiting for ever. */
$alarm = function (callable $waits): string {
	pcntl_async_signals(true);
	pcntl_signal(SIGALRM, fn () => throw new RuntimeException('waits'));
	pcntl_alarm(30);
	$said = outcome($waits);
	pcntl_alarm(0);
	return str_replace('LogicException: lock "for_itself" is held by another object of this process, for which waiting without limit would never end; see "reentrant"', 'refused', $said);
};
$bound = ['renew' => true];
$ways = [
	'acquire(INF)' => fn () => $make()->acquire(INF),
	'wait INF' => fn () => $make(['wait' => INF, 'ttl' => 5])->acquire(),
	'lock()' => fn () => $make()->lock('for_itself', RedisLock::BLOCKED, ['waitTime' => INF]),
	'execute()' => fn () => SequenceTask::execute($server->options(['name' => 'for_itself', 'wait' => INF]), fn () => 'called'),
	'synchronized()' => fn () => $make(['wait' => INF])->synchronized(fn () => 'called'),
	'a reader' => fn () => $make(['shared' => true])->acquire(INF),
];
foreach (['process-bound' => $bound, 'process-bound, reentrant' => $bound + ['reentrant' => true], 'a lease without expiry' => ['ttl' => 0]] as $kind => $held) {
	foreach ($ways as $how => $waits) {
		$lock = $make($held);
		$_ = $lock->acquire();
		step("$kind, $how: " . $alarm($waits), $lock->release());
	}
}
$reader = $make(['shared' => true] + $bound);
$writer = $make(['shared' => true]);
step('two readers', $reader->acquire(INF), $writer->acquire(INF));
echo 'a writer behind a reader: ', $alarm(fn () => $make()->acquire(INF)), "\n";
step('released', $reader->release(), $writer->release());

echo "These end:\n";
$ends = [
	'one try' => [$bound, fn () => $make()->acquire(0)],
	'with a limit' => [$bound, fn () => $make()->acquire(0.05)],
	'a lease' => [['ttl' => 0.1], fn () => $make()->acquire(INF)],
	'a lease that is reentrant' => [['ttl' => 0.1, 'reentrant' => true], fn () => $make()->acquire(INF)],
	'max_hold' => [$bound + ['max_hold' => 0.1, 'ttl' => 0.2, 'on_lost' => 'flag'], fn () => $make()->acquire(INF)],
	'other servers' => [$bound, fn () => (new RedisLock((new Server)->options(['name' => 'for_itself'])))->acquire(INF)],
	'another name' => [$bound, fn () => $make(['name' => 'for_itself_not'])->acquire(INF)],
	'permits' => [$bound + ['permits' => 2], fn () => $make(['permits' => 2])->acquire(INF)],
];
foreach ($ends as $what => [$held, $waits]) {
	$lock = $make($held);
	$_ = $lock->acquire();
	echo "$what: ", outcome($waits), "\n";
	$lock->release();
	$make()->forceRelease();
}

/* Where fibers wait in the loop of the host, one may release what another one holds. */
$lock = $make($bound);
$_ = $lock->acquire();
$in_fiber = fn () => outcome(fn () => $make()->acquire(INF));
echo 'in a fiber: ', $alarm(function () use ($in_fiber) {
	$fiber = new Fiber($in_fiber);
	$fiber->start();
	return $fiber->getReturn();
}), "\n";
$loop = new Loop;
$loop->install();
$waiter = $loop->start($in_fiber);
$loop->start(function () use ($loop, $lock) {
	$loop->sleep(0.05);
	$lock->release();
});
$loop->run();
echo 'in a loop: ', $waiter->getReturn(), "\n";
?>
--EXPECT--
process-bound, acquire(INF): refused: true
process-bound, wait INF: refused: true
process-bound, lock(): refused: true
process-bound, execute(): refused: true
process-bound, synchronized(): refused: true
process-bound, a reader: refused: true
process-bound, reentrant, acquire(INF): refused: true
process-bound, reentrant, wait INF: refused: true
process-bound, reentrant, lock(): refused: true
process-bound, reentrant, execute(): refused: true
process-bound, reentrant, synchronized(): refused: true
process-bound, reentrant, a reader: refused: true
a lease without expiry, acquire(INF): refused: true
a lease without expiry, wait INF: refused: true
a lease without expiry, lock(): refused: true
a lease without expiry, execute(): refused: true
a lease without expiry, synchronized(): refused: true
a lease without expiry, a reader: refused: true
two readers: true, true
a writer behind a reader: refused
released: true, true
These end:
one try: false
with a limit: false
a lease: true
a lease that is reentrant: true
max_hold: true
other servers: true
another name: true
permits: true
in a fiber: 'refused'
in a loop: true
