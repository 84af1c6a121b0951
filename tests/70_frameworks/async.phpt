--TEST--
RedisLock\Async: locks wait in the loops of Revolt, Amp and ReactPHP; Amp's KeyedMutex and KeyedSemaphore; the samples run
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_server(); skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/docs.inc';
require vendor_autoload();

use RedisLock\Async\KeyedMutex;
use RedisLock\Async\KeyedSemaphore;
use RedisLock\Async\React;
use RedisLock\Async\Revolt;
use React\EventLoop\Loop;
use Revolt\EventLoop;

use function Amp\async;
use function Amp\delay;
use function Amp\Future\await;

$server = new Server(true);
Revolt::install();
foreach (['mutex' => new KeyedMutex($server->options()), 'semaphore' => new KeyedSemaphore($server->options(), 3)] as $kind => $locks) {
	$inside = $most = $ticks = 0;
	$timer = EventLoop::repeat(0.001, function () use (&$ticks) {
		$ticks++;
	});
	$work = function () use ($locks, $kind, &$inside, &$most) {
		$lock = $locks->acquire("async:$kind");
		$most = max($most, ++$inside);
		delay(0.005);
		$inside--;
		$lock->release();
	};
	await(array_map(fn () => async($work), range(1, 10)));
	EventLoop::cancel($timer);
	step($kind, $most <= ['mutex' => 1, 'semaphore' => 3][$kind], $ticks > 0);
}

/* Outside of fibers. A lock nobody refers to any more is released by the loop. */
$first = (new KeyedMutex($server->options()))->acquire('async:main');
EventLoop::delay(0.01, function () use (&$first) {
	$first = null;
});
$second = (new KeyedMutex($server->options()))->acquire('async:main');
step('main', $first, $second->isReleased());
$second->release();

React::install();
$order = [];
for ($i = 1; $i <= 3; $i++) {
	Loop::futureTick(function () use ($server, $i, &$order) {
		$fiber = new Fiber(function () use ($server, $i, &$order, &$fiber) {
			$lock = new RedisLock($server->options(['name' => 'async:react', 'wait' => 60]));
			$lock->acquire();
			$order[] = "in $i";
			Loop::addTimer(0.01, $fiber->resume(...));
			Fiber::suspend();
			$order[] = "out $i";
			$lock->release();
		});
		$fiber->start();
	});
}
Loop::run();
step('react', preg_match('/^(in (\d), out \2(, )?){3}$/', implode(', ', $order)));

putenv("REDIS_URL=tcp://127.0.0.1:$server->port");
putenv('COMPOSER_AUTOLOAD=' . vendor_autoload());
foreach (['amp', 'reactphp'] as $example) {
	$said = Php::program(dirname(__DIR__, 2) . "/examples/frameworks/$example.php")->rest();
	$lines = explode("\n", trim($said));
	sort($lines);
	echo implode("\n", $lines), "\n";
}

$samples = new Samples('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . ';');
$samples->run('docs/guide/event-loops.md', [...array_fill(0, 4, ['require vendor_autoload();']), 'Swoole: async_swoole.phpt']);
?>
--EXPECT--
mutex: true, true
semaphore: true, true
main: NULL, false
react: 1
worker 1 has written its page
worker 2 has written its page
worker 3 has written its page
request 1 has written its page
request 2 has written its page
request 3 has written its page
-- docs/guide/event-loops.md, 1
one takes from the stock
one takes from the stock
one takes from the stock
-- docs/guide/event-loops.md, 2
downloading
-- docs/guide/event-loops.md, 3
in the stock
-- docs/guide/event-loops.md, 4
in the stock
