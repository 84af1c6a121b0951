--TEST--
RedisLock::setPoller(): lock() enters a reentrant lock again while the names of its object are looked through
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--ENV--
GLIBC_TUNABLES=glibc.malloc.tcache_count=0
MALLOC_PERTURB_=165
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$loop = new Loop;
$loop->install();
$outer = new RedisLock($server->options(['name' => 'entered_forgotten', 'reentrant' => true, 'ttl' => 60]));
$inner = new RedisLock($server->options(['name' => 'entered_forgotten:own', 'reentrant' => true, 'ttl' => 600]));
$_ = $inner->lock('entered_forgotten:third', RedisLock::NONBLOCKED, ['reentrant' => false]);
$frozen = false;
$loop->start(function () use ($server, $outer, $inner, &$frozen) {
	$_ = $outer->acquire();
	$server->freeze();
	$frozen = true;
	/* Less than half of its ttl is left, so it is extended. */
	step('entered', $inner->lock('entered_forgotten'), $outer->remaining() > 300);
	step('left', $inner->unlock('entered_forgotten'), $outer->isHeld(), $outer->release());
});
$loop->run(function () use (&$frozen) {
	return $frozen;
});
/* Forgets the names whose locks are over. */
try {
	$_ = $inner->lock('entered_forgotten:third', RedisLock::NONBLOCKED, ['reentrant' => false]);
} catch (LogicException $e) {
	echo $e->getMessage(), "\n";
}
$server->thaw();
$loop->run();

echo "lost meanwhile\n";
$_ = $outer->acquire();
$server->client()('DEL', 'entered_forgotten');
step('acquired anew', $inner->lock('entered_forgotten'), $outer->isHeld());
step('left', $inner->unlock('entered_forgotten'), $inner->unlock('entered_forgotten'));
?>
--EXPECT--
lock "entered_forgotten:third" is already held by this object
entered: true, true
left: true, true, true
lost meanwhile
acquired anew: true, false
left: true, false
