--TEST--
RedisLock::setPoller(): an object on which an operation is under way refuses a second one; other names and objects go on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$lock = new RedisLock($server->options(['name' => 'in_use', 'ttl' => 60, 'wait' => 60]));
$refused = function (string $name, callable ...$calls) {
	foreach ($calls as $method => $call) {
		try {
			$done[$method] = $call();
		} catch (LogicException $e) {
			$message = $e->getMessage();
		}
	}
	step("$name, not refused", $done ?? null);
	return $message ?? '';
};
$methods = ['acquire' => $lock->acquire(...), 'keepAlive' => $lock->keepAlive(...), 'release' => $lock->release(...),
	'isAcquired' => $lock->isAcquired(...), 'detach' => $lock->detach(...), 'unlock' => fn () => $lock->unlock('in_use'),
	'lock' => fn () => $lock->lock('in_use'), 'synchronized' => fn () => $lock->synchronized(fn () => 'run')];

$redis('SET', 'in_use', 'another');
$loop->start(fn () => step('acquired', $lock->acquire(), $lock->isHeld()));
echo $refused('waiting', ...$methods), "\n";
step('another name', $lock->lock('in_use:2'), $lock->unlock('in_use:2'));
step('of whoever has it', $lock->holder()['token'], $lock->forceRelease());
$loop->run();

/* The server has stopped: a request is under way until it goes on. */
foreach (['keepAlive' => [20], 'isAcquired' => [], 'release' => []] as $method => $arguments) {
	$server->freeze();
	$loop->start(fn () => step($method, $lock->$method(...$arguments)));
	$refused("during $method", ...$methods, forceRelease: $lock->forceRelease(...));
	step('as far as we know', $lock->isHeld(), $lock->remaining() > 0);
	$server->thaw();
	$loop->run();
}
step('left', $redis('GET', 'in_use'), $lock->isHeld());
?>
--EXPECT--
waiting, not refused: NULL
lock "in_use" is in use by another fiber, or by the call that this signal handler interrupts
another name: true, true
of whoever has it: 'another', true
acquired: true, true
during keepAlive, not refused: NULL
as far as we know: true, true
keepAlive: true
during isAcquired, not refused: NULL
as far as we know: true, true
isAcquired: true
during release, not refused: NULL
as far as we know: true, true
release: true
left: NULL, false
