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
	/* What it has begun and not come to an end with, as the history calls it. */
	private ?string $under_way = null;
	private bool $inside = false;
	private int $weight = 1; /* for how many its lock counts */

	/* Of the hold that the section under way is in. */
	private ?string $token = null;

	public function __construct(private array $plan, private History $history, private ArrayObject $locks = new ArrayObject,
		private ?Loop $loop = null)
	{
		$this->stores = [new FileStore($plan['dir']), new RedisStore(new Client($plan['store']))];
	}

	public function run(): void
	{
		$this->history->note('info', 'start', kind: $this->plan['kind']);
		while (hrtime(true) < $this->plan['until']) {
			$name = $this->plan['names'][array_rand($this->plan['names'])];
			$this->object = $this->loop !== null ? "$name " . mt_rand(0, 1) : $name;
			$this->inside = false;
			$this->under_way = null;
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
		$this->begins('acquire', name: $name, need: $this->weight, waits: (bool) $this->plan['wait']);
		if ($this->plan['run']) {
			$lock->synchronized(fn () => $this->sections($lock, $name));
			$this->ends('ok');
			return;
		}
		if (!$lock->acquire($this->plan['wait'] ? [0.05, 1, INF][mt_rand(0, 2)] : 0)) {
			$this->refused();
			return;
		}
		$this->sections($lock, $name);
		/* Another fiber may have acquired it by this object since the time was over. */
		$this->ends($lock->getToken() !== $this->token ? 'info' : ($lock->release() ? 'ok' : 'fail'));
	}

	/** An exception may come in between: then it has begun, and nobody says how it ended. */
	private function begins(string $what, mixed ...$more): void
	{
		$this->history->note('invoke', $what, ...$more);
		$this->under_way = $what;
	}

	private function ends(string $how, mixed ...$more): void
	{
		$what = $this->under_way;
		$this->under_way = null;
		$this->history->note($how, $what, ...$more);
	}

	private function pause(int $us): void
	{
		$this->loop !== null ? $this->loop->sleep($us / 1e6) : usleep($us);
	}

	private function refused(): void
	{
		if ($this->inside) {
			$this->history->note('info', 'lost');
		} elseif ($this->under_way !== null) {
			$this->ends($this->under_way === 'acquire' ? 'fail' : 'info');
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

	/** One; who shares the lock is rarely alone with it, and shares it again. In another one, the lock is of another weight. */
	private function sections(RedisLock $lock, string $name): void
	{
		$this->section($lock, $name);
		$room = $this->plan['rooms'][$name] ?? 1;
		if (str_starts_with($name, 'shared') && $this->weight === 1 && mt_rand(1, 20) === 1 &&
			$this->changes($lock, 'upgrade', $room, $lock->upgrade(...))) {
			$this->section($lock, $name);
			if ($this->changes($lock, 'downgrade', 1, $lock->downgrade(...))) {
				$this->section($lock, $name);
			}
		}
		if ($this->plan['rooms'] && mt_rand(1, 50) === 1) {
			unset($this->locks[$this->object]);
		}
		$this->leaves($lock, 'release');
	}

	private function changes(RedisLock $lock, string $what, int $need, Closure $change): bool
	{
		$this->leaves($lock, $what, need: $need);
		if (!$change()) {
			$this->ends('fail');
			return false;
		}
		$this->weight = $need;
		return true;
	}

	private function section(RedisLock $lock, string $name): void
	{
		$this->token = $lock->getToken();
		$fence = $lock->getFence();
		$this->inside = true;
		$this->ends('ok', until: $this->until($lock), fence: $fence);
		/* Who is not alone counts nothing. */
		$this->weight === ($this->plan['rooms'][$name] ?? 1) ? $this->count($lock, $name, $fence) : $this->work();
	}

	/** It does not rely on the lock from here on. */
	private function leaves(RedisLock $lock, string $what, mixed ...$more): void
	{
		$this->begins($what, ...$more, until: $this->until($lock));
		$this->inside = false;
	}

	private function count(RedisLock $lock, string $name, ?int $fence): void
	{
		$found = [];
		foreach ($this->stores as $i => $store) {
			$at = hrtime(true);
			$found[$i] = $store->read($name, $fence);
			if ($found[$i] === null) {
				$this->history->noteAt($at, 'invoke', 'write', name: $name, store: $store->name(), fence: $fence);
				$this->history->note('fail', 'write');
			}
		}
		$this->work();
		foreach ($this->stores as $i => $store) {
			if ($found[$i] !== null && ($fence !== null || $this->isHeld($lock))) {
				$this->begins('write', name: $name, store: $store->name(), value: $found[$i] + 1, fence: $fence);
				$this->ends($store->write($name, $found[$i] + 1, $fence) ? 'ok' : 'fail');
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
		/* Whether the server said "not ours": that must not be while the lock is valid. */
		$more = ['taken' => $e instanceof RedisLock\LockLostException && str_contains($e->getMessage(), 'another owner') ?: null,
			'error' => get_class($e) . ': ' . $e->getMessage()];
		if ($this->under_way !== null) {
			$this->ends('info', ...($this->inside ? [] : $more));
		}
		if ($this->inside) {
			$this->history->note('info', 'lost', ...$more);
		}
		/* Another object is another client: whatever became of the lock, it is left to the child or to its ttl. */
		unset($this->locks[$this->object]);
		$this->pause(mt_rand(1000, 50_000));
	}

	private function isHeld(RedisLock $lock): bool
	{
		return $lock->isHeld() && $lock->getToken() === $this->token;
	}

	/** By our own knowledge, ns; 0: it is over. Errs on the early side. */
	private function until(RedisLock $lock): int
	{
		$at = hrtime(true);
		$remaining = $this->isHeld($lock) ? $lock->remaining() : 0;
		return $remaining > 0 ? $at + (int) ($remaining * 1e9) : 0;
	}
}
