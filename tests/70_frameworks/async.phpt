--TEST--
RedisLock\Async: locks wait in the loops of Revolt, Amp and ReactPHP; Amp's KeyedMutex and KeyedSemaphore; the samples run
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_server(); skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/docs.inc';
require vendor_autoload();

use Amp\Sync\Lock;
use Amp\Sync\Mutex;
use Amp\Sync\Semaphore;
use Amp\Sync\StaticKeyMutex;
use Amp\Sync\StaticKeySemaphore;
use RedisLock\Async\KeyedMutex;
use RedisLock\Async\KeyedSemaphore;
use RedisLock\Async\React;
use RedisLock\Async\Revolt;
use React\EventLoop\Loop;
use Revolt\EventLoop;

use function Amp\async;
use function Amp\delay;
use function Amp\Future\await;
use function Amp\Future\awaitFirst;

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

/* What Amp's own tests of its four interfaces ask, which no registry has. */
$contract = function (string $name, Mutex|Semaphore $locks, int $size): void {
	$held = array_map(fn () => $locks->acquire(), range(1, $size));
	$waits = [async($locks->acquire(...)), async($locks->acquire(...))];
	delay(0.02);
	step("$name, released, and acquired by more", array_sum(array_map(fn (Lock $lock) => (int) $lock->isReleased(), $held)),
		$waits[0]->isComplete() || $waits[1]->isComplete());
	foreach ($held as $i => $lock) {
		EventLoop::delay(0.01 * $i, $lock->release(...));
	}
	$first = awaitFirst($waits);
	if ($size === 1) {
		step("$name, both have it", $waits[0]->isComplete() && $waits[1]->isComplete());
	}
	$first->release();
	array_map(fn (Lock $lock) => $lock->release(), await($waits));
	/* Each is followed by the next. */
	for ($i = 0; $i < 3 * $size; $i++) {
		EventLoop::delay(0.002, $locks->acquire()->release(...));
	}
	$last = $locks->acquire();
	$last->release();
	step("$name, released", $first->isReleased(), $last->isReleased());
};
$contract('Mutex', new StaticKeyMutex(new KeyedMutex($server->options()), 'async:contract:m'), 1);
foreach ([1, 3, 20] as $size) {
	$contract("Semaphore of $size", new StaticKeySemaphore(new KeyedSemaphore($server->options(), $size), "async:contract:$size"), $size);
}
$mutex = new KeyedMutex($server->options());
$both = [$mutex->acquire('async:one'), $mutex->acquire('async:other')];
step('keys are apart', array_map(fn (Lock $lock) => $lock->release(), $both) === [null, null]);
try {
	new KeyedSemaphore($server->options(), -1);
} catch (Error $e) {
	echo get_class($e), "\n";
}

/* Outside of fibers. A lock nobody refers to any more is released by the loop. */
$first = (new KeyedMutex($server->options()))->acquire('async:main');
EventLoop::delay(0.01, function () use (&$first) {
	$first = null;
});
$second = (new KeyedMutex($server->options()))->acquire('async:main');
step('main', $first, $second->isReleased());
$second->release();

/* Nor does it end the program if the server does not answer. */
set_error_handler(function (int $level, string $text) use (&$warned) {
	$warned = $text;
	return true;
}, E_USER_WARNING);
$forgotten = (new KeyedMutex($server->options(['read_timeout' => 1])))->acquire('async:forgotten');
$server->freeze();
$forgotten = null;
while ($warned === null) {
	delay(0.01);
}
$server->thaw();
restore_error_handler();
step('forgotten', str_contains($warned, 'did not answer in time'));

EventLoop::run(); /* what is to be released in 2 ms: many releases at the end of the process may not have the time */
React::install();
$order = [];
for ($i = 1; $i <= 3; $i++) {
	Loop::futureTick(function () use ($server, $i, &$order) {
		$fiber = new Fiber(function () use ($server, $i, &$order, &$fiber) {
			$lock = new RedisLock($server->options(['name' => 'async:react', 'wait' => 60]));
			$_ = $lock->acquire();
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
Mutex, released, and acquired by more: 0, false
Mutex, both have it: false
Mutex, released: true, true
Semaphore of 1, released, and acquired by more: 0, false
Semaphore of 1, both have it: false
Semaphore of 1, released: true, true
Semaphore of 3, released, and acquired by more: 0, false
Semaphore of 3, released: true, true
Semaphore of 20, released, and acquired by more: 0, false
Semaphore of 20, released: true, true
keys are apart: true
ValueError
main: NULL, false
forgotten: true
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
