--TEST--
RedisLock::setPoller(): a fatal error while a fiber waits in Worker::endRequest(): the lock is released, and the process does not crash
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
$redis = $server->client();
$php = new Php('
$lock = new RedisLock(json_decode($argv[1], true));
$fiber = new Fiber(function () use ($lock) {
	RedisLock\Worker::beginRequest();
	$_ = $lock->acquire();
	echo "held\n";
	fgets(STDIN);
	RedisLock::setPoller(fn () => Fiber::suspend()); // not before: nobody would resume an acquisition
	RedisLock\Worker::endRequest();
});
$fiber->start();
echo $fiber->isSuspended() ? "waits\n" : "over\n";
trigger_error("enough", E_USER_ERROR);
', [json_encode($server->options(['name' => 'fatal_request', 'renew' => true, 'ttl' => 600]))]);
$php->await('held');
$child = await_renewal_child($php->pid);
$server->freeze();
$php->tell('end');
$php->await('waits');
$php->rest();
step('ended', json_encode($php->end()));
$server->thaw();
wait_until(fn () => $redis('EXISTS', 'fatal_request') === 0, 60);
wait_until(fn () => !is_running($child), 60);
?>
--EXPECT--
ended: '{"exit":255}'
