<?php
/*
 * loop: many waiters for one lock in one thread: fibers in an event loop. The orders and reports of bench/crowd.c, one object and
 * one fiber for each waiter, which takes turn after turn, as event loops use their fibers again. The reports come when the queue
 * is empty: those of processes are not in the way of the next owner either. And:
 *
 *     sleep N        N more fibers that only sleep                    -> sleeping
 *     memory         kB of the process, but for the stacks of fibers  -> kB
 *     watch          measure the delay of the loop from now on        -> watching
 *     delays         until now                                        -> JSON: ns, and ns without the waits for a CPU
 *     cancel N       N fibers, destroyed or out of time at random     -> JSON: how many ended in which way
 *
 *     loop.php KIND COUNT HOLD_US NAME tcp ADDRESS PORT
 *
 * The delay of the loop: how late a timer of 1 ms fires.
 */
declare(strict_types=1);

use function Bench\poll;
use function Bench\unwatch;
use function Bench\watch;

const TICK_NS = 1_000_000;

/** A key that a waiter has been handed lasts for 2 s, until it is extended; counted from a moment later. */
const PROVISIONAL_NS = 1_990_000_000;

/** So many fibers want the lock at a time while some are cancelled. */
const AT_A_TIME = 32;

final class Loop
{
	/** @var array<int, Fiber> */
	private array $waits = [];
	/** @var SplMinHeap<array{int, int}>  when, ns, and which wait; those over are skipped */
	private SplMinHeap $timers;
	private int $last = 0;

	public function __construct()
	{
		$this->timers = new SplMinHeap;
	}

	/** A poller of RedisLock::setPoller(). @param list<resource> $read @param list<resource> $write */
	public function wait(array $read, array $write, ?float $seconds): void
	{
		$streams = $events = [];
		foreach ([1 => $read, 2 => $write] as $event => $of) {
			foreach ($of as $stream) {
				$streams[(int) $stream] = $stream;
				$events[(int) $stream] = ($events[(int) $stream] ?? 0) | $event;
			}
		}
		$id = ++$this->last;
		foreach ($streams as $number => $stream) {
			watch($stream, $events[$number], $id);
		}
		if ($seconds !== null) {
			$this->timers->insert([hrtime(true) + (int) ($seconds * 1e9), $id]);
		}
		$this->waits[$id] = Fiber::getCurrent();
		try {
			Fiber::suspend();
		} finally {
			unset($this->waits[$id]);
			foreach ($streams as $stream) {
				unwatch($stream);
			}
		}
	}

	public function sleep(float $seconds): void
	{
		$this->wait([], [], $seconds);
	}

	/** Forgets a fiber that waits. Whoever drops the last reference destroys it. */
	public function forget(Fiber $fiber): void
	{
		unset($this->waits[(int) array_search($fiber, $this->waits, true)]);
	}

	public function run(): void
	{
		while ($this->waits !== []) {
			$left = $this->timers->isEmpty() ? TICK_NS : max(0, $this->timers->top()[0] - hrtime(true));
			foreach (poll($left) as $id) {
				$this->resume($id);
			}
			while (!$this->timers->isEmpty() && $this->timers->top()[0] <= hrtime(true)) {
				$this->resume($this->timers->extract()[1]);
			}
		}
	}

	private function resume(int $id): void
	{
		$fiber = $this->waits[$id] ?? null;
		unset($this->waits[$id]);
		$fiber?->resume();
	}
}

/** Measures how late the loop is. */
final class Delays
{
	private array $delays = [];
	private bool $on = true;

	public function __construct(private readonly Loop $loop)
	{
	}

	public function measure(): void
	{
		for ($due = hrtime(true) + TICK_NS; $this->on; $due = hrtime(true) + TICK_NS) {
			$waited = self::waitedForCpu();
			$this->loop->sleep(($due - hrtime(true)) / 1e9);
			$delay = hrtime(true) - $due;
			$this->delays[] = [$delay, max(0, $delay - (self::waitedForCpu() - $waited))];
		}
	}

	/** @return list<array{int, int}> */
	public function end(): array
	{
		$this->on = false;

		return $this->delays;
	}

	/** For how long this process could have run and had no CPU, ns. */
	private static function waitedForCpu(): int
	{
		return (int) (explode(' ', (string) @file_get_contents('/proc/self/schedstat'))[1] ?? 0);
	}
}

/** One waiter, or the leader. */
final class Contender
{
	/** @var list<string> */
	private static array $reports = [];
	private static int $waiting = 0;
	private readonly RedisLock $lock;
	private readonly Fiber $fiber;

	public function __construct(private readonly Loop $loop, private readonly array $options, private readonly int $number,
		private readonly float $hold)
	{
		$this->lock = new RedisLock($options);
		$this->fiber = new Fiber($this->takeTurns(...));
	}

	public function wait(): void
	{
		self::$waiting++;
		$this->fiber->isStarted() ? $this->fiber->resume() : $this->fiber->start();
	}

	private function takeTurns(): void
	{
		for (;; Fiber::suspend()) {
			$began = hrtime(true);
			$acquired = $this->acquire();
			$this->loop->sleep($this->hold);
			self::$waiting--;
			$this->release($began, $acquired);
		}
	}

	/** When. */
	public function acquire(): int
	{
		yes($this->lock->acquire());

		return hrtime(true);
	}

	public function release(int $began, int $acquired): void
	{
		$released = hrtime(true);
		// A server that stood still may find it over.
		yes($this->lock->release() || hrtime(true) - $acquired >= PROVISIONAL_NS);
		self::$reports[] = "$this->number $began $acquired $released\n";
		if (self::$waiting === 0) {
			fwrite(STDOUT, implode('', array_splice(self::$reports, 0)));
		}
	}
}

/** Fibers that want one lock, each for a short time, and are cancelled at random points of that. */
final class Cancelling
{
	/** @var array<string, int> */
	private array $ends = ['acquired' => 0, 'out of time' => 0, 'destroyed' => 0];

	public function __construct(private readonly Loop $loop, private readonly array $options)
	{
	}

	/** @return array<string, int>  how many ended in which way, until so many were cancelled */
	public function run(int $count): array
	{
		for ($running = []; $this->ends['out of time'] + $this->ends['destroyed'] < $count;) {
			while (count($running) < AT_A_TIME) {
				$running[] = new Fiber($this->want(...));
				$running[array_key_last($running)]->start();
			}
			$this->loop->sleep(random_int(0, 500) / 1e6);
			$running = array_filter($running, static fn ($fiber) => !$fiber->isTerminated());
			if ($running !== []) {
				$chosen = array_rand($running);
				$this->loop->forget($running[$chosen]);
				unset($running[$chosen]);
				$this->ends['destroyed']++;
			}
		}
		foreach ($running as $fiber) {
			$this->loop->forget($fiber);
		}

		return $this->ends;
	}

	private function want(): void
	{
		$lock = new RedisLock(['wait' => random_int(0, 3) === 0 ? random_int(1, 20) / 1e3 : 60] + $this->options);
		try {
			if ($lock->acquire()) {
				$this->ends['acquired']++;
				$this->loop->sleep(random_int(0, 300) / 1e6);
			} else {
				$this->ends['out of time']++;
			}
		} catch (RedisLock\ConnectionException) {
			$this->ends['out of time']++; // before the server had answered
		} finally {
			$lock->release();
		}
	}
}

function yes(bool $done): void
{
	if (!$done) {
		throw new RuntimeException('the lock was refused, or lost');
	}
}

/** kB in memory. The stacks of fibers have a size of their own, see bench/tables/loop.php. */
function memory(): int
{
	$stack = (int) ini_parse_quantity(ini_get('fiber.stack_size')) / 1024;
	preg_match_all('/^Size:\s+(\d+) kB(?s:.*?)^Rss:\s+(\d+) kB/m', file_get_contents('/proc/self/smaps'), $mappings, PREG_SET_ORDER);
	$others = array_filter($mappings, static fn ($mapping) => (int) $mapping[1] !== (int) $stack);

	return array_sum(array_column($others, 2));
}

[, $kind, $count, $hold, $name, , $address, $port] = $argv;
$options = ['host' => $address, 'port' => (int) $port, 'name' => $name, 'ttl' => 30, 'wait' => 600, 'renew' => $kind === 'bound',
	'read_timeout' => 10];
$loop = new Loop;
RedisLock::setPoller($loop->wait(...));
$waiters = [];
for ($i = -1; $i < (int) $count; $i++) {
	$waiters[$i] = new Contender($loop, $options, $i, (int) $hold / 1e6);
}
$delays = new Delays($loop);

function order(array $order): void
{
	global $loop, $waiters, $delays, $options;
	static $held;

	switch ($order[0]) {
		case 'hold':
			$held = $waiters[-1]->acquire();
			fwrite(STDOUT, "holding\n");
			break;
		case 'go':
			$waiters[-1]->release($held, $held);
			break;
		case 'wait':
			for ($i = (int) $order[1]; $i < (int) $order[2]; $i++) {
				$waiters[$i]->wait();
			}
			break;
		case 'sleep':
			for ($i = 0; $i < (int) $order[1]; $i++) {
				(new Fiber($loop->sleep(...)))->start(600.0);
			}
			fwrite(STDOUT, "sleeping\n");
			break;
		case 'memory':
			fwrite(STDOUT, memory() . "\n");
			break;
		case 'watch':
			$delays = new Delays($loop);
			(new Fiber($delays->measure(...)))->start();
			fwrite(STDOUT, "watching\n");
			break;
		case 'delays':
			fwrite(STDOUT, json_encode($delays->end()) . "\n");
			break;
		case 'cancel':
			fwrite(STDOUT, json_encode((new Cancelling($loop, $options))->run((int) $order[1])) . "\n");
			break;
	}
}

(new Fiber(static function () use ($loop): void {
	stream_set_blocking(STDIN, false);
	for ($buffer = ''; !feof(STDIN);) {
		$loop->wait([STDIN], [], null);
		$buffer .= fread(STDIN, 65536);
		while (($end = strpos($buffer, "\n")) !== false) {
			$order = substr($buffer, 0, $end);
			$buffer = substr($buffer, $end + 1);
			(new Fiber(order(...)))->start(explode(' ', $order));
		}
	}
	exit;
}))->start();
$loop->run();
