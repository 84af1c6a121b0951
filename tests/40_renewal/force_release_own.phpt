--TEST--
RedisLock::forceRelease(): of what the object itself holds: that is over then, and nobody is told of a loss
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(false, ...UNTRACKED);
$redis = $s->client();
$options = $s->options(['name' => 'force_release_own', 'ttl' => 2, 'interval' => 0.05, 'read_timeout' => 0.2]);
$bound = ['renew' => true] + $options;
/* Long enough for a renewal to find out: its answers are read between two instructions. */
$told = function (callable $over) {
	try {
		wait_until($over);
		return 'nothing told';
	} catch (RedisLock\LockLostException $e) {
		return 'told';
	}
};
/* A lock beside it is renewed by the same child: when that has happened twice, the other would have been, too. */
$beside = new RedisLock(['name' => 'beside'] + $bound);
$_ = $beside->acquire();
$twice = function () use ($redis, &$times) {
	if ($redis('PTTL', 'beside') > 1500) {
		$redis('PEXPIRE', 'beside', 1500);
		$times++;
	}
	return $times > 2;
};

echo "bound\n";
$lock = new RedisLock($bound);
$_ = $lock->acquire();
var_dump($lock->forceRelease(), $lock->isHeld(), $redis('EXISTS', 'force_release_own'), $told($twice), $lock->isHeld(),
	$lock->release(), $lock->acquire(), $lock->isHeld(), $lock->release());

echo "gone already\n";
$_ = $lock->acquire();
$redis('DEL', 'force_release_own');
var_dump($lock->forceRelease(), $lock->isHeld());

echo "lease\n";
$lease = new RedisLock($options);
$_ = $lease->acquire();
var_dump($lease->forceRelease(), $lease->isHeld(), $lease->remaining(), $lease->getToken(), $lease->release());

echo "in a callable\n";
var_dump((new RedisLock($options))->synchronized(function (RedisLock $lock) use ($told, $twice, &$times) {
	$times = 0;
	return json_encode($lock->forceRelease()) . ', ' . $told($twice);
}));

echo "no answer: the child goes on\n";
$_ = $lock->acquire();
$s->freeze();
try {
	$lock->forceRelease();
} catch (RedisLock\ConnectionException $e) {
	echo strtok($e->getMessage(), '('), "\n";
}
var_dump($lock->isHeld());
$s->thaw();
var_dump(comes_true(fn () => $redis('EXISTS', 'force_release_own') === 0, 1.5));

/* The child, which stands still until then, finds the loss where it can be caught. */
$child = renewal_child(getmypid());
$goes_on = fn () => !posix_kill($child, SIGCONT);

echo "held by others, of the same process or entered twice\n";
$_ = $lock->acquire();
stop_process($child);
var_dump((new RedisLock($options))->forceRelease(), $told($goes_on));
$reentrant = ['reentrant' => true] + $bound;
[$outer, $inner] = [new RedisLock($reentrant), new RedisLock($reentrant)];
var_dump($outer->acquire(), $inner->acquire());
stop_process($child);
var_dump($inner->forceRelease(), $told($goes_on), $outer->isHeld(), $inner->isHeld());
[$outer, $inner] = [new RedisLock($reentrant), null];
var_dump($outer->acquire(), $outer->acquire(), $outer->forceRelease(), $outer->isHeld(), $outer->release());
--EXPECT--
bound
bool(true)
bool(false)
int(0)
string(12) "nothing told"
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
gone already
bool(false)
bool(false)
lease
bool(true)
bool(false)
float(0)
NULL
bool(false)
in a callable
string(18) "true, nothing told"
no answer: the child goes on
lock "force_release_own": the server did not answer in time 
bool(false)
bool(true)
held by others, of the same process or entered twice
bool(true)
string(4) "told"
bool(true)
bool(true)
bool(true)
string(4) "told"
bool(false)
bool(false)
bool(true)
bool(true)
bool(true)
bool(false)
bool(false)
