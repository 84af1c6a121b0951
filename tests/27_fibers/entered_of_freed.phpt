--TEST--
RedisLock::setPoller(): a reentrant lock is entered again while the object that has it is freed
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
$loop->install();
foreach (['a lease' => false, 'process-bound' => true] as $name => $renew) {
	$options = ['name' => "entered_of_freed:$renew", 'reentrant' => true, 'renew' => $renew];
	$outer = new RedisLock($server->options(['ttl' => 60] + $options));
	$inner = new RedisLock($server->options(['ttl' => 600] + $options));
	$frozen = false;
	$loop->start(function () use ($name, $server, &$outer, $inner, &$frozen) {
		$_ = $outer->acquire();
		$server->freeze();
		$frozen = true;
		/* Less than half of its ttl is left, so it is extended. */
		step("$name, entered", $inner->acquire(), $inner->isHeld(), $inner->remaining() > 300);
		step("$name, left", $inner->release(), $inner->isHeld());
	});
	$loop->run(function () use (&$frozen) {
		return $frozen;
	});
	$outer = null;
	$server->thaw();
	$loop->run();
	step("$name, key", $redis('GET', "entered_of_freed:$renew"));
}
?>
--EXPECT--
a lease, entered: true, true, true
a lease, left: true, false
a lease, key: NULL
process-bound, entered: true, true, true
process-bound, left: true, false
process-bound, key: NULL
