--TEST--
RedisLock\Worker::endRequest(): ends a lock in a fiber while its object is freed
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
$frozen = false;
$loop->start(function () use ($server, &$lock, &$frozen) {
	RedisLock\Worker::beginRequest();
	$lock = new RedisLock($server->options(['name' => 'request_of_freed', 'renew' => true]));
	$_ = $lock->acquire();
	$server->freeze();
	$frozen = true;
	step('ended', ...RedisLock\Worker::endRequest());
});
$loop->run(function () use (&$frozen) {
	return $frozen;
});
$lock = null;
$server->thaw();
$loop->run();
step('left', $server->client()('GET', 'request_of_freed'));
?>
--EXPECT--
ended: 'request_of_freed'
left: NULL
