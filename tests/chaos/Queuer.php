<?php
/** Lines up for one lock, holds it for a while, and lines up again. Once the time is over it holds it no more, and ends. */
final class Queuer
{
	private string $does = ''; /* as the history calls it; once it is inside, what an exception means */

	public function __construct(private array $plan, private History $history)
	{
	}

	public function run(): void
	{
		$name = $this->plan['names'][0];
		$this->history->note('info', 'start', kind: $this->plan['kind']);
		/* Readers and writers, if there is room for more than one. */
		$room = $this->plan['rooms'][$name] ?? 1;
		$shared = $room > 1 && mt_rand(0, 1) === 1;
		$weight = $shared ? 1 : $room;
		$lock = new RedisLock($this->plan['options'] + ['name' => $name, 'shared' => $shared]);
		/* Connects, and starts the renewal child, which are not part of lining up. */
		$lock->lock("$name-" . getmypid());
		$lock->unlock("$name-" . getmypid());
		do {
			/* Most come back at once; those who do not have others come in between. */
			usleep(mt_rand(0, 3) > 0 ? 0 : mt_rand(0, 1_000_000));
			try {
				$before = self::delayed();
				$this->does = 'acquire';
				$this->history->note('invoke', 'acquire', name: $name, need: $weight, waits: true);
				$_ = $lock->acquire(INF);
				$this->section($lock, self::delayed() - $before);
			} catch (RedisLock\Exception $e) {
				$this->history->note('info', $this->does, error: get_class($e) . ': ' . $e->getMessage(),
					taken: $e instanceof RedisLock\LockLostException && str_contains($e->getMessage(), 'another owner') ?: null);
			}
		} while (hrtime(true) < $this->plan['until']);
	}

	private function section(RedisLock $lock, int $late): void
	{
		$this->does = 'lost';
		$this->history->note('ok', 'acquire', until: self::until($lock), late: intdiv($late, 1000));
		usleep(hrtime(true) < $this->plan['until'] ? mt_rand(300_000, 500_000) : 0);
		$this->does = 'release';
		$this->history->note('invoke', 'release', until: self::until($lock));
		$this->history->note($lock->release() ? 'ok' : 'fail', 'release');
	}

	/** For how long, ns, this process has stood in the queue of the processor so far. */
	private static function delayed(): int
	{
		return (int) explode(' ', file_get_contents('/proc/self/schedstat'))[1];
	}

	/** By our own knowledge, ns; 0: it is over. Errs on the early side. */
	private static function until(RedisLock $lock): int
	{
		$at = hrtime(true);
		$remaining = $lock->remaining();
		return $remaining > 0 ? $at + (int) ($remaining * 1e9) : 0;
	}
}
