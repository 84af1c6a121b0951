<?php
/*
 * A sample for every method. docs/reference/api.md takes them from here. Each begins with a line that names its method.
 *
 *     php -d redislock.server=tcp://127.0.0.1:6379 examples/methods.php 10.0.0.1:6379 10.0.0.2:6379 10.0.0.3:6379
 *
 * The arguments are three servers of a quorum.
 */
$servers = array_slice($argv, 1);

// RedisLock::__construct
$lock = new RedisLock(['name' => 'stock', 'ttl' => 15]);

// RedisLock::acquire
if ($lock->acquire(5)) { // waits up to 5 s
	echo "at work\n";
}

// RedisLock::keepAlive
if (!$lock->keepAlive(60)) { // 60 s from now
	throw new Exception('the lock is no longer ours');
}

// RedisLock::isHeld
if ($lock->isHeld()) { // does not ask the server
	echo "held\n";
}

// RedisLock::isAcquired
if ($lock->isAcquired()) { // asks the server
	echo "held, says the server\n";
}

// RedisLock::remaining
if ($lock->remaining() < 10) {
	$lock->keepAlive(30) or exit('the lock is lost');
}

// RedisLock::getName
echo $lock->getName(), "\n"; // stock

// RedisLock::__toString
echo "$lock\n"; // stock[60]: name and ttl

// RedisLock::getToken
$token = $lock->getToken(); // null when nothing is held

// RedisLock::holder
$holder = $lock->holder(); // null when the lock is free
echo "process {$holder['pid']} on {$holder['host']}\n";

// RedisLock::holders
foreach ($lock->holders() as $holder) { // none when the lock is free
	echo $holder['token'], "\n";
}

// RedisLock::upgrade
$reader = new RedisLock(['name' => 'prices', 'shared' => true]);
if ($reader->acquire() && !$reader->upgrade()) { // to write
	$reader->release(); // others share it still
}

// RedisLock::downgrade
if ($reader->downgrade()) { // others may read again
	$reader->release();
}

// RedisLock::detach
$token = $lock->detach(); // for example for a queued job

// RedisLock::restore
$lock = RedisLock::restore([], 'stock', $token); // in the worker; the server is that of php.ini
if ($lock->keepAlive()) { // the lock still exists, and is ours now
	echo "taken over\n";
}

// RedisLock::release
if (!$lock->release()) {
	error_log('the work took longer than the ttl');
}

// RedisLock::synchronized
$left = (new RedisLock(['name' => 'stock', 'wait' => 5]))->synchronized(fn () => 41);

// RedisLock::getFence
$lock = new RedisLock(['name' => 'account', 'fence' => true]);
$lock->acquire() or exit('another process has the lock');
$fence = $lock->getFence(); // higher with each acquisition; your storage must refuse a lower one
$lock->release();

// RedisLock::forceRelease
$lock->forceRelease(); // whoever holds it; true: somebody held it

// RedisLock::setPoller
RedisLock::setPoller(function (array $read, array $write, ?float $seconds): void {
	Fiber::suspend([$read, $write, $seconds]); // the loop resumes the fiber when a stream is ready, or the time is over
});

// RedisLock::newToken
$token = RedisLock::newToken('import'); // known before the lock is acquired
$lock = new RedisLock(['name' => 'import', 'token' => $token]);

// RedisLock\Worker::beginRequest
RedisLock\Worker::beginRequest(); // in the loop of a worker, before each request
$lock = new RedisLock(['name' => 'cart', 'renew' => true]);
$lock->acquire() or exit('another process has the lock');

// RedisLock\Worker::endRequest
foreach (RedisLock\Worker::endRequest() as $name) { // and behind it
	echo "$name was left behind\n";
}

// RedisLock::lock
$lock = new RedisLock();
$lock->lock('a'); // one try
$lock->lock('b', RedisLock::BLOCKED, ['waitTime' => 3, 'expiredTime' => 30]);

// RedisLock::unlock
$lock->unlock('b');
$lock->unlock('a');

// RedisLock\RedLock::__construct
$red = new RedLock($servers); // 'host:port', URIs, or [host, port, timeout in seconds]

// RedisLock\RedLock::lock
$held = $red->lock('invoice-7', 10000); // ms; false: another process has it

// RedisLock\RedLock::extend
$held = $red->extend($held, 10000); // false: lost

// RedisLock\RedLock::unlock
$red->unlock($held);

// SequenceTask::execute
$report = SequenceTask::execute(['name' => 'nightly-report'], fn () => 'written');

// SequenceTask::current
SequenceTask::execute(['name' => 'nightly-report'], function () {
	foreach (['North', 'South'] as $region) {
		echo "$region, ", SequenceTask::current()->isHeld() ? 'held' : 'lost', "\n";
	}
});

// RedisLock\Exception::getNode
try {
	$held = (new RedisLock(['host' => '127.0.0.1', 'port' => 1, 'name' => 'stock']))->acquire();
} catch (RedisLock\Exception $e) {
	echo 'trouble with ', $e->getNode(), "\n"; // tcp://127.0.0.1:1
}

// RedisLock\Exception::isRetryable
if ($e->isRetryable()) {
	echo "the same call may succeed later\n";
}

// RedisLock\ConnectionException::getNodes
try {
	(new RedLock(['127.0.0.1:1', '127.0.0.1:2', '127.0.0.1:3']))->lock('invoice-7', 10000);
} catch (RedisLock\ConnectionException $e) {
	foreach ($e->getNodes() as $node => $outcome) {
		echo "$node\n"; // what each of the servers did
	}
}

// RedisLock\NotAcquiredException::getHolder
$other = new RedisLock(['name' => 'nightly-report', 'label' => 'import']);
$other->acquire() or exit('another process has the lock');
try {
	SequenceTask::execute(['name' => 'nightly-report'], fn () => 'written');
} catch (RedisLock\NotAcquiredException $e) {
	echo $e->getHolder()['label'] ?? 'somebody', " has it\n"; // null: no holder was found any more
}

// RedisLock\NotAcquiredException::getRemaining
echo 'try again within ', ceil($e->getRemaining() ?? 0), " s\n";

// RedisLock\NotAcquiredException::getNodes
$nodes = $e->getNodes(); // empty unless several servers were asked

// RedisLock\LockLostException::hasResult
try {
	SequenceTask::execute(['name' => 'import'], function () {
		(new RedisLock(['name' => 'import']))->forceRelease();
		return 'all rows';
	});
} catch (RedisLock\LockLostException $e) {
	echo $e->hasResult() ? "done, but not alone\n" : "stopped in the middle\n";
}

// RedisLock\LockLostException::getResult
$rows = $e->getResult(); // what the callable returned, if it has returned

// RedisLock\stats()
$stats = RedisLock\stats();
printf("%d acquired, %d refused, %.3f s waited\n", $stats['acquired'], $stats['refused'], $stats['waited']['seconds']);
$reconnects = array_map(fn (array $counters) => $counters['reconnects'], $stats['servers']); // by server

// RedisLock\observe()
RedisLock\observe(function (string $event, array $details): void {
	if ($event === 'lost') {
		error_log("lock $details[name] was lost after $details[hold] s");
	}
});

// RedisLock::exec
$lock = new RedisLock(['name' => 'nightly', 'renew' => true]);
if ($lock->acquire()) {
	$lock->exec('echo', ['the backup runs']); // this process becomes the command, which keeps the lock
}
