<?php
/**
 * A process that has locks, and does with them what it is told: one call a message, read from a socket.
 *
 * A loss may be told as an exception between any two calls here. So each message has a number, is done at most once, and
 * is sent again when the process says that an exception came in between.
 */
final class Actor
{
	private array $locks = []; /* id => RedisLock or RedLockLock */
	private array $inside = []; /* ids of the locks whose callable runs, the innermost last */
	private array $said = []; /* warnings and losses outside of calls, since the last answer */
	private int $done = 0;

	/* What the oracle has to find when a process is made to lie. */
	public const LIES = ['acquired', 'released', 'longer', 'other key', 'left', 'one more', 'alone'];

	public function __construct(private $socket, private string $lie)
	{
		set_error_handler(function (int $level, string $text) {
			$this->said[] = $text;
			return true;
		});
	}

	/** Until the process is told to end or, inside a callable, to leave: returns how. */
	public function serve(): ?string
	{
		for (;;) {
			try {
				$line = fgets($this->socket);
				if ($line === false) {
					exit(0);
				}
				[$number, $what, $id, $arguments] = unserialize(base64_decode($line));
				if ($number <= $this->done) {
					continue;
				}
				$this->done = $number;
				if ($what === 'leave' && end($this->inside) === $id) {
					return $arguments[0];
				}
				$this->answer($this->outcome(fn () => $this->do($what, $id, $arguments)));
			} catch (RedisLock\LockLostException $e) {
				if ($this->inside) {
					throw $e;
				}
				$this->answer(self::thrown($e));
			}
		}
	}

	/** Answers the last message taken. */
	private function answer(array $outcome): void
	{
		$answer = $outcome + ['number' => $this->done, 'said' => $this->said, 'inside' => $this->inside, 'locks' => $this->beliefs()];
		$this->said = [];
		fwrite($this->socket, self::packed($answer));
	}

	public static function packed(array $message): string
	{
		return base64_encode(serialize($message)) . "\n";
	}

	/** What came of a call. */
	private function outcome(Closure $call): array
	{
		try {
			return ['value' => $call(), 'ended' => hrtime(true)];
		} catch (Throwable $e) {
			return self::thrown($e);
		}
	}

	private static function thrown(Throwable $e): array
	{
		for ($one = $e, $chain = []; $one !== null; $one = $one->getPrevious()) {
			$chain[] = get_class($one);
		}
		return ['threw' => $chain[0], 'message' => $e->getMessage(), 'chain' => $chain, 'ended' => hrtime(true), 'again' => true];
	}

	/** What each lock says of itself, asking nobody: held, for how much longer from `at` on, by which token. */
	private function beliefs(): array
	{
		$beliefs = [];
		foreach ($this->locks as $id => $lock) {
			$at = hrtime(true);
			$more = $this->lie === 'longer' && $lock->isHeld() ? 0.5 : 0;
			$beliefs[$id] = ['at' => $at, 'remaining' => $lock->remaining() + $more, 'held' => $lock->isHeld(),
				'token' => $lock->getToken(), 'fence' => $lock->getFence()];
		}
		return $beliefs;
	}

	private function do(string $what, string $id, array $arguments): mixed
	{
		$lock = $this->locks[$id] ?? null;
		switch ($what) {
			case 'make':
				[$options] = $arguments;
				$options = ($this->lie === 'other key' ? ['prefix' => ''] : []) + $options;
				if ($this->lie === 'one more' && isset($options['permits'])) {
					$options['permits']++;
				}
				$this->locks[$id] = isset($options['redlock']) ? new RedLockLock($options) : new RedisLock($options);
				return null;
			case 'restore':
				[$options, $token] = $arguments;
				$this->locks[$id] = RedisLock::restore($options, $options['name'], $token);
				return null;
			case 'unset':
				if ($this->lie === 'left' && $lock instanceof RedisLock && $lock->isHeld()) {
					$lock->detach();
				}
				$lock = null;
				unset($this->locks[$id]);
				gc_collect_cycles();
				return null;
			case 'exit':
				exit(0);
			case 'look':
			case 'leave': /* which it has done already: lost */
				return null;
			case 'enter':
				return $this->enter($lock, $id);
			case 'fork':
				return $this->fork();
			default:
				$value = $lock->$what(...$arguments);
				return match ([$this->lie, $what]) {
					['acquired', 'acquire'], ['released', 'release'], ['alone', 'upgrade'] => true,
					default => $value,
				};
		}
	}

	/**
	 * synchronized(), whose callable does what it is told until it is told to leave. It answers twice: when the callable runs,
	 * and when it has left, which by a loss may be between any two messages.
	 */
	private function enter(RedisLock $lock, string $id): mixed
	{
		$depth = count($this->inside);
		try {
			return $lock->synchronized(function () use ($id) {
				$this->inside[] = $id;
				$this->answer(['value' => true, 'ended' => hrtime(true)]);
				$how = $this->serve();
				return $how === 'throw' ? throw new DomainException('thrown inside') : $how;
			});
		} finally {
			$this->inside = array_slice($this->inside, 0, $depth);
		}
	}

	/** What a copy of the process makes of the locks: they are not its own. Returns what is wrong. */
	private function fork(): array
	{
		$held = array_filter($this->locks, fn ($lock) => $lock instanceof RedisLock && $lock->isHeld());
		$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
		$pid = pcntl_fork();
		if ($pid === 0) {
			$wrong = [];
			foreach ($held as $id => $lock) {
				foreach (['isHeld' => false, 'remaining' => 0.0, 'release' => false, 'keepAlive' => false] as $call => $right) {
					if ($lock->$call() !== $right) {
						$wrong[] = "$id->$call() in a copy of the process";
					}
				}
			}
			fwrite($pair[1], serialize($wrong));
			exit(0);
		}
		fclose($pair[1]);
		$wrong = unserialize(stream_get_contents($pair[0]));
		pcntl_waitpid($pid, $status);
		return $wrong;
	}
}

/** A RedLock with one resource, called like a RedisLock. */
final class RedLockLock
{
	private RedLock $red;
	private string $resource;
	private int $ttl;
	private array|false $lock = false;
	private float $until = 0.0; /* s, by hrtime() */

	public function __construct(array $options)
	{
		['servers' => $servers, 'name' => $this->resource, 'ttl' => $ttl] = $options;
		$this->ttl = (int) ($ttl * 1000);
		unset($options['servers'], $options['name'], $options['ttl'], $options['redlock']);
		$this->red = new RedLock($servers, 20, 1, $options);
	}

	public function acquire(): bool
	{
		return $this->took(fn () => $this->red->lock($this->resource, $this->ttl));
	}

	public function keepAlive(): bool
	{
		return $this->lock && $this->took(fn () => $this->red->extend($this->lock));
	}

	private function took(Closure $call): bool
	{
		$lock = $call();
		$this->lock = $lock ?: $this->lock;
		$this->until = $lock ? hrtime(true) / 1e9 + $lock['validity'] / 1e3 : $this->until;
		return $lock !== false;
	}

	public function release(): bool
	{
		$lock = $this->lock;
		$this->until = 0.0;
		return $this->red->unlock($lock);
	}

	public function remaining(): float
	{
		return max(0.0, $this->until - hrtime(true) / 1e9);
	}

	public function isHeld(): bool
	{
		return $this->lock && $this->remaining() > 0;
	}

	public function getToken(): ?string
	{
		return $this->lock['token'] ?? null;
	}

	public function getFence(): ?int
	{
		return null;
	}
}
