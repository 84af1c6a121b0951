<?php
/**
 * Takes locks, counts under them, and lets go, in the ways a plan says.
 *
 * A section under a fenced name looks at nothing but the fence; under any other, it writes only if isHeld() says so
 * just before. It is a process, or a fiber: those of a process share the objects that are the locks.
 */
final class Worker
{
	/** @var Store[] */
	private array $stores;
	private string $object = ''; /* index of the lock it uses */
	/* What the section under way has counted up to, a store each. */
	private array $counted = [];
	private bool $inside = false;
	private int $weight = 1; /* for how many its lock counts */
	/* Until when, ns, the lock was held by our own knowledge. */
	private int $valid = 0;

	/* Of the hold that the section under way is in. */
	private ?string $token = null;

	public function __construct(private array $plan, private History $history, private ArrayObject $locks = new ArrayObject,
		private ?Loop $loop = null)
	{
		$this->stores = [new FileStore($plan['dir']), new RedisStore(new Client($plan['store']))];
	}

	public function run(): void
	{
		$this->history->note('worker', $this->plan['kind'], getmypid());
		while (hrtime(true) < $this->plan['until']) {
			$name = $this->plan['names'][array_rand($this->plan['names'])];
			$this->object = $this->loop !== null ? "$name " . mt_rand(0, 1) : $name;
			$this->inside = false;
			$this->valid = 0;
			try {
				$this->once($name);
			} catch (LogicException $e) {
				/* Another fiber has the object. */
				if (!preg_match('/is in use by another fiber|is already held/', $e->getMessage())) {
					throw $e;
				}
				$this->refused();
			} catch (RedisLock\NotAcquiredException) {
				$this->refused();
			} catch (RedisLock\Exception $e) {
				$this->troubled($e);
			} finally {
				/* Its trace has the lock, which would be held on. */
				unset($e);
			}
		}
	}

	/** One try for a lock and, with it, one section. */
	private function once(string $name): void
	{
		[$lock, $this->weight] = $this->locks[$this->object] ??= $this->lock($name);
		if ($this->plan['rooms'] && $this->plan['wait']) {
			$this->history->note('wants', $name, $this->weight);
		}
		if ($this->plan['run']) {
			$lock->synchronized(fn () => $this->sections($lock, $name));
			return;
		}
		if (!$lock->acquire($this->plan['wait'] ? [0.05, 1, INF][mt_rand(0, 2)] : 0)) {
			$this->refused();
			return;
		}
		$this->sections($lock, $name);
		/* Another fiber may have acquired it by this object since the time was over. */
		if ($lock->getToken() === $this->token && !$lock->release()) {
			$this->denied();
		}
	}

	private function pause(int $us): void
	{
		$this->loop !== null ? $this->loop->sleep($us / 1e6) : usleep($us);
	}

	private function refused(): void
	{
		if ($this->plan['rooms'] && $this->plan['wait']) {
			$this->history->note('without');
		}
		/* Many try, and each try takes time from those who work. */
		$this->pause(mt_rand(500, 5000) * ($this->plan['rooms'] || $this->loop !== null ? 10 : 1));
	}

	/** And its weight. */
	private function lock(string $name): array
	{
		$room = $this->plan['rooms'][$name] ?? 1;
		$options = match (strtok($name, '-')) {
			'fenced' => ['fence' => true],
			'replicated' => ['min_replicas' => 1, 'replica_timeout' => 0.2],
			'permits' => ['permits' => $room],
			'weights' => ['permits' => $room, 'weight' => mt_rand(1, 5)],
			'shared' => ['shared' => mt_rand(1, 4) > 1],
			default => [],
		};
		return [new RedisLock($this->plan['options'] + ['name' => $name] + $options), ($options['shared'] ?? true) ? $options['weight'] ?? 1 : $room];
	}

	/** One; of who shares the lock rarely more, alone, and shared again. In another one, the lock is of another weight. */
	private function sections(RedisLock $lock, string $name): void
	{
		$this->section($lock, $name);
		if (!$this->plan['rooms']) {
			return;
		}
		if (str_starts_with($name, 'shared') && $this->weight === 1 && mt_rand(1, 20) === 1 && $lock->upgrade()) {
			$this->weight = $this->plan['rooms'][$name];
			$this->section($lock, $name);
			$this->weight = 1;
			if ($lock->downgrade()) {
				$this->section($lock, $name);
			}
		}
		if (mt_rand(1, 50) === 1) {
			unset($this->locks[$this->object]);
		}
	}

	private function section(RedisLock $lock, string $name): void
	{
		$this->counted = ['-', '-'];
		$this->token = $lock->getToken();
		$at = hrtime(true);
		$this->valid = $this->until($at, $lock);
		$fence = $lock->getFence();
		$this->history->noteAt($at, 'enter', $name, $this->valid, $fence ?? '-', $this->weight);
		$this->inside = true;
		/* Who is not alone counts nothing. */
		$this->weight === ($this->plan['rooms'][$name] ?? 1) ? $this->count($lock, $name, $fence) : $this->work();
		$at = hrtime(true);
		$this->valid = $this->until($at, $lock);
		$this->history->noteAt($at, 'leave', $this->valid, ...$this->counted);
		$this->inside = false;
	}

	private function count(RedisLock $lock, string $name, ?int $fence): void
	{
		$found = array_map(fn (Store $store) => $store->read($name, $fence), $this->stores);
		$this->work();
		foreach ($this->stores as $i => $store) {
			if ($found[$i] === null) {
				$this->counted[$i] = 'refused';
			} elseif ($fence !== null || $this->isHeld($lock)) {
				$this->counted[$i] = $store->write($name, $found[$i] + 1, $fence) ? $found[$i] + 1 : 'refused';
			}
		}
	}

	/**
	 * Mostly nothing, but a while where there is room for many; rarely longer than some ttl; rarely it stops itself, and the driver
	 * decides what becomes of it.
	 */
	private function work(): void
	{
		$this->pause(mt_rand(0, $this->plan['work']));
		$dice = mt_rand(1, $this->plan['rooms'] ? 40000 : 4000);
		if ($dice === 1) {
			$this->pause(mt_rand(200_000, $this->plan['options']['renew'] ? 2_000_000 : 800_000));
		} elseif ($dice <= 4) {
			posix_kill(getmypid(), SIGSTOP);
		} elseif ($dice <= 400) {
			$this->pause(mt_rand(0, 1000));
		}
	}

	private function troubled(RedisLock\Exception $e): void
	{
		if ($this->inside) {
			$this->history->note('lost', ...$this->counted);
		}
		if ($e instanceof RedisLock\LockLostException && str_contains($e->getMessage(), 'another owner')) {
			$this->denied();
		}
		$this->history->note('trouble', get_class($e) . ': ' . $e->getMessage());
		/* Another object is another client: whatever became of the lock, it is left to the child or to its ttl. */
		unset($this->locks[$this->object]);
		$this->pause(mt_rand(1000, 50_000));
	}

	/** The server says "not ours": that must not be while the lock is valid. */
	private function denied(): void
	{
		if (hrtime(true) < $this->valid) {
			$this->history->note('denied');
		}
	}

	private function isHeld(RedisLock $lock): bool
	{
		return $lock->isHeld() && $lock->getToken() === $this->token;
	}

	/** The remaining validity counts from a moment after $at, so this errs on the early side. */
	private function until(int $at, RedisLock $lock): int
	{
		$remaining = $this->isHeld($lock) ? $lock->remaining() : 0;
		return $remaining > 0 ? $at + (int) ($remaining * 1e9) : 0;
	}
}
