--TEST--
RedisLock::setPoller(): while a fiber asks who has the lock, another one may acquire it by the same object
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;

/* The server is frozen whenever somebody waits, but for the one reply that is needed for the next request. */
$replies = 0;
RedisLock::setPoller(function (array $read, array $write, ?float $seconds) use ($loop, $server, &$replies) {
	if ($replies-- > 0) {
		$server->thaw();
		stream_select($read, $write, $none, 10);
		$server->freeze();
	} else {
		$loop->poll($read, $write, $seconds);
	}
});
$calls = [
	'synchronized' => fn (RedisLock $lock) => $lock->synchronized(fn () => 'run'),
	'acquire' => fn (RedisLock $lock) => $lock->acquire(),
	'holder' => fn (RedisLock $lock) => $lock->holder()['token'],
	'holders' => fn (RedisLock $lock) => count($lock->holders()),
];
foreach ($calls as $name => $call) {
	$redis('SET', 'replaced', 'another');
	$lock = new RedisLock($server->options(['name' => 'replaced', 'ttl' => 60]));
	$lock->isAcquired();
	$_ = $lock->holder(); /* it has a connection, and the server knows the scripts */
	$server->freeze();
	$replies = in_array($name, ['synchronized', 'acquire'], true) ? 1 : 0;
	$loop->start(function () use ($name, $call, $lock) {
		try {
			$done = $call($lock);
		} catch (RedisLock\Exception $e) {
			$done = strtok($e->getMessage(), ','); /* who holds it is said only if the answer comes within 50 ms */
		}
		step($name, $done);
	});
	$loop->start(function () use ($lock) {
		step('beside it', $lock->acquire(5), $lock->isHeld());
	});
	$server->thaw();
	/* The second one waits for the key. */
	$loop->run(fn () => $redis('EXISTS', '{replaced}:rlk:waiters') === 1 || $lock->isHeld());
	$redis('DEL', 'replaced');
	$loop->run();
	step('released', $lock->release());
	$redis('FLUSHALL');
}
?>
--EXPECT--
synchronized: 'lock "replaced": held by somebody else'
beside it: true, true
released: true
acquire: false
beside it: true, true
released: true
holder: 'another'
beside it: true, true
released: true
holders: 1
beside it: true, true
released: true
