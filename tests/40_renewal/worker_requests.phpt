--TEST--
RedisLock\Worker::beginRequest(), endRequest(): what a request of a worker has acquired ends with it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = fn (string $name, array $more = []) =>
	new RedisLock($s->options(['name' => "worker_requests:$name", 'renew' => true, 'ttl' => 30, ...$more]));
$keys = function () use ($redis) {
	$keys = preg_replace('/^worker_requests:/', '', $redis('KEYS', 'worker_requests:*'));
	sort($keys);
	return implode(' ', $keys);
};
$end = fn () => preg_replace('/worker_requests:/', '', implode(' ', RedisLock\Worker::endRequest())) ?: '-';
function kept(RedisLock $lock): RedisLock {
	static $kept = [];
	return $kept[] = $lock;
}

/* Of the worker: what is held before the first request, and what is acquired between two. */
$_ = kept($lock('worker'))->acquire();
echo 'before: ', $end(), "\n";

RedisLock\Worker::beginRequest();
$a = kept($lock('a'));
$b = kept($lock('b'));
var_dump($a->acquire(), $b->acquire());
$lease = kept($lock('lease', ['renew' => false]));
$_ = $lease->acquire();
$red = kept_red($s);
$red->lock('worker_requests:red', 30_000);
$released = kept($lock('released'));
$_ = $released->acquire();
$released->release();
$gone = $lock('gone');
$_ = $gone->acquire();
unset($gone);
echo 'ended: ', $end(), '; left: ', $keys(), "\n";
var_dump($a->isHeld(), $a->getToken(), $a->remaining(), $a->keepAlive(), $a->release());

$between = $lock('between');
$_ = $between->acquire();

/* The objects are as good as new. */
RedisLock\Worker::beginRequest();
var_dump($a->acquire(), $b->acquire(), $b->release());
echo 'ended: ', $end(), '; left: ', $keys(), "\n";
unset($between);

/* A request whose end nobody told. */
RedisLock\Worker::beginRequest();
$_ = $a->acquire();
RedisLock\Worker::beginRequest();
$_ = $b->acquire();
echo 'both: ', $end(), '; again: ', $end(), "\n";

/* What another request has entered is not entered again. */
RedisLock\Worker::beginRequest();
$entered = kept($lock('entered', ['reentrant' => true]));
$_ = $entered->acquire();
$_ = kept($lock('entered', ['reentrant' => true]))->acquire();
$lease = kept($lock('reentrant lease', ['reentrant' => true, 'renew' => false]));
$_ = $lease->acquire();
echo 'entered: ', $end(), "\n";
var_dump($entered->release(), $lock('reentrant lease', ['reentrant' => true, 'renew' => false])->acquire(), $lease->release());

/* Code that still runs keeps its lock. */
RedisLock\Worker::beginRequest();
$fiber = new Fiber(fn () => $lock('running')->synchronized(function ($lock) {
	Fiber::suspend();
	var_dump($lock->isHeld());
}));
$fiber->start();
$lock('in itself')->synchronized(fn () => print('running: ' . $end() . "\n"));
$fiber->resume();
echo 'left: ', $keys(), "\n";

/* Requests at the same time, in fibers. */
$serve = fn (string $name) => new Fiber(function () use ($name, $lock, $end) {
	RedisLock\Worker::beginRequest();
	$_ = kept($lock("$name 1"))->acquire();
	Fiber::suspend();
	$_ = kept($lock("$name 2"))->acquire();
	Fiber::suspend();
	echo $end(), "\n";
});
[$x, $y] = [$serve('x'), $serve('y')];
foreach ([$x, $y, $x] as $i => $fiber) {
	$i < 2 ? $fiber->start() : $fiber->resume();
}
$x->resume();
$y->resume();
$y->resume();
echo 'left: ', $keys(), "\n";

function kept_red(Server $s): RedLock {
	static $red;
	return $red = new RedLock([['unix_socket' => $s->socket, 'timeout' => 5, 'read_timeout' => 5]], options: ['renew' => true]);
}
?>
--EXPECT--
before: -
bool(true)
bool(true)
ended: red b a; left: lease worker
bool(false)
NULL
float(0)
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
ended: a; left: between lease worker
both: b a; again: -
entered: entered
bool(false)
bool(false)
bool(true)
running: -
bool(true)
left: lease worker
x 2 x 1
y 2 y 1
left: lease worker
