--TEST--
RedisLock::setPoller(): a fiber learns that the key holds no lock, while another one uses its object or name
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require_once __DIR__ . '/../inc/timing.inc';

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
$redis('HSET', 'replaced_no_lock', 'a', 'hash');
$calls = [
	'acquire' => ['replaced_no_lock', fn (RedisLock $lock) => $lock->acquire()],
	'lock' => ['replaced_no_lock:other', fn (RedisLock $lock) => $lock->lock('replaced_no_lock')],
];
foreach ($calls as $name => [$own, $call]) {
	/* Why it got no lock is asked for 50 ms long: false, if the machine stands still so long. */
	$got = unless_stalled(function () use ($server, $redis, $loop, $own, $call, &$replies) {
		$lock = new RedisLock($server->options(['name' => $own, 'ttl' => 60]));
		$_ = $lock->lock('replaced_no_lock:third');
		$server->freeze();
		$replies = 1;
		$loop->start(function () use ($call, $lock, &$said) {
			try {
				$said = $call($lock);
			} catch (RedisLock\Exception $e) {
				$said = strtok($e->getMessage(), '(');
			}
		});
		/* It looks through the names, and gives the object another hold, before it waits. */
		$loop->start(function () use ($lock, &$refused) {
			try {
				$refused = $lock->lock('replaced_no_lock:third');
			} catch (LogicException $e) {
				$refused = $e->getMessage();
			}
			try {
				$_ = $lock->acquire();
			} catch (RedisLock\Exception) {
			}
		});
		$server->thaw();
		$loop->run();
		$redis('DEL', 'replaced_no_lock:third', 'replaced_no_lock:other');
		return [$said, $refused];
	}, fn (array $got) => is_string($got[0]));
	step($name, ...$got);
}
?>
--EXPECT--
acquire: 'lock "replaced_no_lock": the key holds a hash, not a lock ', 'lock "replaced_no_lock:third" is already held by this object'
lock: 'lock "replaced_no_lock": the key holds a hash, not a lock ', 'lock "replaced_no_lock:third" is already held by this object'
