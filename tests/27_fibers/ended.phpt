--TEST--
RedisLock::setPoller(): a fiber destroyed while it waits, and a poller that throws, leave no key and no place in the queue
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$acquire = function (array $more) use ($server) {
	$lock = new RedisLock($server->options($more + ['name' => 'ended', 'ttl' => 60, 'wait' => 60]));
	try {
		step('acquired', $lock->acquire());
	} catch (DomainException $e) {
		step('thrown', $e->getMessage(), $lock->isHeld());
	} finally {
		step('ended', $lock->isHeld());
	}
};
/* The fiber waits in its two ways: in the queue, and for the reply to a SET that the server has not read. */
foreach (['lease' => [], 'process-bound' => ['renew' => true]] as $kind => $more) {
	foreach (['queue', 'request'] as $way) {
		foreach (['destroyed', 'throws'] as $end) {
			echo "$kind, $way, $end\n";
			if ($way === 'queue') {
				$redis('SET', 'ended', 'another');
			} else {
				$server->freeze();
			}
			$fiber = $loop->start(fn () => $acquire($more));
			if ($way === 'queue') {
				$loop->run(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
			}
			$loop->forget($fiber);
			if ($end === 'throws') {
				$fiber->throw(new DomainException('enough'));
			}
			unset($fiber);
			if ($way === 'request') {
				$server->thaw();
			}
			if ($way === 'queue') {
				$redis('DEL', 'ended');
			}
			wait_until(fn () => $redis('EXISTS', 'ended') === 0 && str_contains($redis('INFO', 'clients'), 'blocked_clients:0'));
		}
	}
}
?>
--EXPECT--
lease, queue, destroyed
ended: false
lease, queue, throws
thrown: 'enough', false
ended: false
lease, request, destroyed
ended: false
lease, request, throws
thrown: 'enough', false
ended: false
process-bound, queue, destroyed
ended: false
process-bound, queue, throws
thrown: 'enough', false
ended: false
process-bound, request, destroyed
ended: false
process-bound, request, throws
thrown: 'enough', false
ended: false
