--TEST--
RedisLock\Async\React::acquire(): a promise of the lock; cancelling it ends the wait, and nothing stays behind
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_server(); skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/waiting.inc';
require vendor_autoload();

use React\EventLoop\Loop;
use RedisLock\Async\React;

$server = new Server;
$redis = $server->client();
$blocked = fn (int $waiters) => str_contains($redis('INFO', 'clients'), "blocked_clients:$waiters\r");
$run_until = function (callable $condition): void {
	$timer = Loop::addPeriodicTimer(0.001, function () use ($condition, &$timer) {
		if ($condition()) {
			Loop::cancelTimer($timer);
			Loop::stop();
		}
	});
	Loop::run();
};
$options = fn (array $more = []) => $server->options($more + ['name' => 'async_react', 'ttl' => 30, 'wait' => 60, 'renew' => true]);
$said = new ArrayObject;
$say = fn (string $who) => [fn (mixed $got) => $said[] = "$who: " . var_export($got, true), fn (Throwable $e) => $said[] = "$who: " . $e->getMessage()];

React::install();
$holder = new RedisLock($options());
React::acquire($holder)->then(...$say('free'));
$run_until(fn () => count($said) === 1);
React::acquire(new RedisLock($options()), 0)->then(...$say('held'));
$run_until(fn () => count($said) === 2);
React::acquire(new RedisLock($options()), -1)->then(...$say('wrong'));
$run_until(fn () => count($said) === 3);
React::acquire($holder)->then(...$say('held by it'));
$run_until(fn () => count($said) === 4);
$waiter = new RedisLock($options());
$waits = React::acquire($waiter);
$waits->then(...$say('waited'));
$run_until(fn () => $blocked(1));
$waits_longer = React::acquire(new RedisLock($options()));
$waits_longer->then(...$say('cancelled'));
$run_until(fn () => $blocked(2));
$waits_longer->cancel();
$run_until(fn () => count($said) === 5);
$holder->release();
$run_until(fn () => count($said) === 6);
$waits->cancel(); /* too late to have an effect */
$said[] = 'waited: held ' . var_export($waiter->isHeld(), true);
$waiter->release();
$last = React::acquire($waiter);
$last->then(...$say('cancelled at once'));
$last->cancel();
$run_until(fn () => count($said) === 8);
$said[] = 'held: ' . var_export($waiter->isHeld(), true);
echo implode("\n", (array) $said), "\n";
$run_until(fn () => $blocked(0));
step('left', $redis('GET', 'async_react'));

/* While a request is under way that the server has not read. */
$said->exchangeArray([]);
$lock = new RedisLock($options());
React::acquire($lock)->then(...$say('first'));
$run_until(fn () => count($said) === 1);
$lock->release();
$server->freeze();
$asks = React::acquire($lock);
$asks->then(...$say('asks'));
$asks->cancel();
$run_until(fn () => count($said) === 2);
$server->thaw();
echo implode("\n", (array) $said), "\n";
wait_until(fn () => $redis('GET', 'async_react') === null);
step('held', $lock->isHeld());

/* Of two fibers with one number, the first has ended. How many objects are gone by then decides which one has it. */
$said->exchangeArray([]);
$free = new RedisLock($options(['name' => 'async_react:free']));
$lock->acquire() && $waits = [];
foreach (range(0, 9) as $gone) {
	$objects = array_map(fn () => new stdClass, range(0, $gone));
	$ended = React::acquire($free);
	$objects = null;
	$waits[] = React::acquire(new RedisLock($options()));
	end($waits)->then(fn () => null, $say('waits')[1]);
	$ended->then(...$say('ended'));
	$ended->cancel();
}
$run_until(fn () => count($said) >= 10);
echo implode("\n", array_unique((array) $said)), "\n";
foreach ($waits as $wait) {
	$wait->cancel();
}
$run_until(fn () => $blocked(0));
$lock->release();
?>
--EXPECTF--
free: true
held: false
wrong: RedisLock::acquire(): Argument #1 ($wait) %a
held by it: lock "async_react" is already held by this object
cancelled: the wait for a lock was cancelled
waited: true
waited: held true
cancelled at once: the wait for a lock was cancelled
held: false
left: NULL
first: true
asks: the wait for a lock was cancelled
held: false
ended: the wait for a lock was cancelled
