--TEST--
RedisLock::setPoller(): what one fiber releases, and looks at afterwards, is not forgotten by another one meanwhile
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/timing.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;

/* The server is frozen whenever somebody waits, but for the one reply to the release. */
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
$plain = new RedisLock($server->options(['ttl' => 0.02, 'name' => 'forgotten']));
$locks = new RedisLock($server->options(['name' => 'forgotten']));
$take = fn (string $name, float $ttl) => $locks->lock("forgotten $name", RedisLock::NONBLOCKED, ['ttl' => $ttl]);
$free = fn (string $name) => $locks->unlock("forgotten $name");
step('taken', $take('b', 60), unless_stalled(fn () => $take('a', 0.3), fn (bool $taken) => $taken));
wait_until(fn () => $redis('EXISTS', 'forgotten a') === 0);
pause(0.35, 'twice its ttl is over: what is left of it is forgotten with the next chance');
$server->freeze();
$replies = 1;
$waiter = $loop->start(fn () => $free('a'));
$looks = !$waiter->isTerminated();
$server->thaw();
step('another one is freed while it looks', $looks, $free('b'), $take('c', 60), $free('c'));
$loop->run();
step('then', $waiter->getReturn());
?>
--EXPECT--
taken: true, true
another one is freed while it looks: true, true, true, true
then: false
