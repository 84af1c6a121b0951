<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use RedisLock\Adapter\Failure;
use RedisLock\Adapter\HelperKeys;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\Token;

/**
 * @internal One lock: what is known of it, and what its server is asked, as docs/internals/protocol.md describes it. Times are ms.
 * @phpstan-import-type Holder from Token
 */
final class Hold
{
	/** What a lock of several holders asks in place of these scripts, and whether that is told permits and weight. */
	private const OF_SETS = ['join' => true, 'check' => true, 'release' => true, 'extend' => false, 'lengthen' => false, 'owned' => false];

	/** What is in the lists that these scripts answer; all others answer a number. */
	private const LISTS = ['holder' => ['string', 'int', 'int'], 'set_holders' => ['int', 'int', 'string']];

	public string $token = '';
	/** Is the token that of the caller? */
	public bool $isCallers = false;
	/** May the lock be ours? */
	public bool $isKnown = false;
	/** Has the server confirmed that? Not of a restored one. */
	public bool $isOurs = false;
	/** Is a method of its object under way? */
	public bool $isInUse = false;
	/** May several hold it? */
	public bool $isSet;
	public int $ttl = 0;
	public int $acquiredAt = 0;
	public ?int $fence = null;
	private readonly string $key;
	/** What helper keys begin with; '': the name has none. */
	public readonly string $helper;
	private ?self $turnstile = null;
	private int $validUntil = 0;
	/** When the request was written that was answered last. */
	private int $sentAt = 0;
	private int $pid = 0;
	private bool $ttlIsCertain = false;
	/** A request without an answer may shorten the ttl to this at any time; 0: there is none. */
	private int $leastTtl = 0;
	private int $spentUntil = 0;
	private bool $releaseIsUnanswered = false;
	private bool $downgradeIsUnanswered = false;
	private bool $wakesNobody = false;
	/** @var \WeakMap<self, true>|null those that were acquired without expiry */
	private static ?\WeakMap $endless = null;

	public function __construct(public readonly Server $server, public readonly string $name, string $prefix, public LockOptions $options)
	{
		[$this->key, $this->helper, $this->isSet] = [$prefix . $name, HelperKeys::of($prefix, $name), $options->isSet()];
	}

	/* --- what is known --- */

	/** ms of validity left. */
	public function left(): int
	{
		$isOurs = $this->isOurs && $this->pid === getmypid();

		return $isOurs && $this->validUntil < Server::NEVER ? max(0, $this->validUntil - Server::now() - 1) : ($isOurs ? Server::NEVER : 0);
	}

	/** May the server be asked whether it is ours? Not by a copy of the process. */
	public function mayAsk(): bool
	{
		return $this->isKnown && (!$this->isOurs || $this->pid === getmypid());
	}

	/** Is nothing held, or was it a lease whose key is gone by now? The server may start the ttl later than we do. And is the token not spent? */
	public function isOver(): bool
	{
		return $this->spentUntil <= Server::now() && (!$this->isKnown || $this->ttl > 0 && $this->acquiredAt + 2 * $this->ttl <= Server::now());
	}

	public function restore(#[\SensitiveParameter] string $token): void
	{
		[$this->isKnown, $this->token, $this->isCallers, $this->ttl] = [true, $token, true, $this->options->ttl];
	}

	public function forget(): void
	{
		$this->isKnown = $this->isOurs = $this->ttlIsCertain = $this->releaseIsUnanswered = false;
		[$this->validUntil, $this->acquiredAt, $this->fence, $this->isSet] = [0, 0, null, $this->options->isSet()];
	}

	/** Its key is not ours. */
	private function lose(bool $isAcquired = true): bool
	{
		$this->isOurs && $isAcquired && Stats::tell($this, 'lost');
		$this->forget();

		return false;
	}

	/** Until when a ttl is relied upon that counts from this point in time. */
	private function validUntil(int $ttl, int $since): int
	{
		$ttl = $this->leastTtl === 0 ? $ttl : min($ttl ?: $this->leastTtl, $this->leastTtl);

		return $ttl === 0 ? Server::NEVER : $since + ($ttl >= 10 ? $ttl - intdiv($ttl + 99, 100) - 2 : $ttl);
	}

	/** A request that was written then has acquired it. */
	public function take(int $ttl, int $sentAt, int $answer): void
	{
		[$this->sentAt, $this->ttl, $this->ttlIsCertain, $this->fence] = [$sentAt, $ttl, true, $this->options->fence ? $answer : null];
		$this->hold($this->validUntil($ttl, $sentAt));
	}

	private function hold(int $validUntil): void
	{
		$this->acquiredAt = $this->isOurs ? $this->acquiredAt : $this->sentAt;
		$this->isKnown = $this->isOurs = true;
		[$this->pid, $this->validUntil] = [(int) getmypid(), $validUntil];
		if ($validUntil === Server::NEVER) {
			self::$endless ??= new \WeakMap();
			self::$endless[$this] = true;
		}
	}

	/** The lock key, and those that wake, if there are any. */
	public function keys(): array
	{
		return [$this->key, ...($this->wakesNobody || $this->helper === '' ? [] : ["$this->helper:rlk:waiters", "$this->helper:rlk:signal"])];
	}

	/** Those of who lines up; none: the name has no helper keys. */
	public function keysToLineUp(): array
	{
		return $this->helper === '' ? [] : [$this->key, "$this->helper:rlk:waiters", "$this->helper:rlk:signal", ...$this->turnstile()->keys()];
	}

	/** The lock in front of this one, for those who may not fit when woken. */
	public function turnstile(): self
	{
		return $this->turnstile ??= new self($this->server, "$this->helper:rlk:turn", '', new LockOptions([['ttl' => 2]]));
	}

	/** The token that this waiter has at the turnstile, or ''. */
	public function turn(): string
	{
		return $this->turnstile?->isOurs === true ? $this->turnstile->token : '';
	}

	/** Opens the turnstile, unless the script that added to a set has done so. */
	public function passTurnstile(int $until, bool $isOpen): void
	{
		if ($this->turnstile !== null && $this->turn() !== '') {
			$isOpen || $this->turnstile->withdraw($until, false);
			$this->turnstile->forget();
		}
	}

	/* --- acquire --- */

	public function acquire(LockOptions $options, int $wait): bool
	{
		foreach ($wait === Server::NEVER ? self::$endless ?? [] : [] as $other => $_) {
			if ($other->left() === Server::NEVER && $other->key === $this->key && $other->server->key === $this->server->key) {
				throw Failure::misuse($this->name, 'is held by another object of this process, for which waiting without limit would never end; see "reentrant"');
			}
		}
		$this->options = $options;
		$this->forget();
		if ($options->fence && $this->helper === '') {
			throw new \ValueError('option "fence" cannot be used with this name: it has a brace that leaves the counter in another Cluster slot');
		}
		[$since, $waited] = [Server::now(), null];
		$deadline = $wait === 0 ? Server::NEVER : Server::later($wait);
		$this->freshToken();
		$got = $this->try(self::oneMore($deadline));
		if (!$got && $wait > 0 && Server::now() < $deadline) {
			$got = (new Waiter($this, $deadline))->wait();
			[$this->acquiredAt, $waited] = [Server::now(), Server::now() - $since];
		}
		$got || $wait > 0 || $this->isSet || $this->refuseNoLock();
		Stats::tell($this, $got ? 'acquired' : 'refused', $waited);

		return $got;
	}

	/** A limit that leaves a moment for one request. */
	public static function oneMore(int $deadline): int
	{
		return $deadline === Server::NEVER ? $deadline : max($deadline, min(Server::now(), $deadline) + Server::MOMENT);
	}

	/** The token of the next try. */
	public function freshToken(): void
	{
		$given = $this->options->token;
		if ($given === null || $given !== $this->token) {
			$this->spentUntil = $this->leastTtl = 0;
		}
		[$this->token, $this->isCallers, $this->downgradeIsUnanswered] = [$given ?? Token::make($this->options->label), $given !== null, false];
		$spent = $this->spentUntil - Server::now();
		if ($spent > 0) {
			throw new Trouble("the token is spent for $spent ms: a request with it was not answered, and may still be executed", null, false);
		}
	}

	private function spendToken(int $ttl): void
	{
		$this->spentUntil = $this->isCallers ? Server::later($ttl ?: 10_000) : 0;
	}

	/** Permits, 0 where any number may share it, and weight. */
	private function counted(): array
	{
		return [(string) ($this->options->permits > 1 ? $this->options->permits : 0), (string) $this->options->weight];
	}

	/** @return array{string, array, array} the script that acquires, '' for the command SET, with keys and arguments; $waited: by whoever is woken */
	public function wordsToTry(int $ttl, bool $waited): array
	{
		[$time, $turn] = [(string) $ttl, $this->turn()];
		if ($this->options->fence) {
			return ['acquire_fence', [$this->key, "$this->helper:rlk:fence"], [$this->token, $time]];
		}
		if (!$this->isSet) {
			return ['', ['SET', $this->key], [$this->token, 'NX', ...($ttl > 0 ? ['PX', $time] : [])]];
		}
		$waited = $waited || $turn !== '';
		$keys = $this->keys();
		if (count($keys) > 1 && (!$waited || $turn !== '')) {
			$keys = [...($waited ? $keys : [$this->key]), ...$this->turnstile()->keys()];
		}

		return [$waited ? 'set_take' : 'set_try', $keys, [$this->token, ...$this->counted(), $time, ...($waited ? [$turn] : [])]];
	}

	/** What an answer to that means: 0 if another one has it, else the fence, or 1. */
	public function answered(mixed $answer): int
	{
		return is_int($answer) && $answer >= 0 ? $answer : ($answer === null ? 0 : ($answer === 'OK' ? 1 : throw $this->server->misfit()));
	}

	/** Tries once, by then. Again, if the server, or a balancer, had closed the connection while it was idle. */
	public function try(int $until, bool $again = true): bool
	{
		$ttl = $this->options->ttl === 0 && $this->isCallers ? $this->server->answersIn + 2000 : $this->options->ttl;
		$connection = $this->server->connection($until);
		$again = $again && $connection->sentAt > 0 && !$this->isCallers;
		try {
			$got = $this->answered($connection->run(...[...$this->wordsToTry($ttl, false), $until]));
			// It is ours when it has no expiry any more.
			if ($got > 0 && $ttl !== $this->options->ttl) {
				return $this->extend(0);
			}
		} catch (\Throwable $e) {
			if ($e instanceof Trouble && $e->isBroken && $again) {
				$this->withdraw($until, false);
				$this->freshToken();

				return $this->try($until, false);
			}
			// Also when a signal handler has thrown.
			$e instanceof Trouble && !$e->isUnknown || $this->undo($ttl);
			throw $e instanceof Trouble && $e->answer === 'NOLOCK' ? $this->noLock($this->kind(true)) : $e;
		}
		if ($got === 0) {
			return false;
		}
		$this->take($ttl, $connection->sentAt, $got);
		if ($this->left() === 0) {
			$this->withdraw($until, false);
			$this->forget();
			throw new Trouble("the answer took longer than the ttl of $ttl ms", $this->server->uri);
		}

		return true;
	}

	/** What a request without an answer may have acquired is released behind it, and its connection is given up. A token of the caller is spent. */
	public function undo(int $ttl): void
	{
		$this->spendToken($ttl);
		$this->withdraw(Server::later(Server::MOMENT), true);
		$this->forget();
	}

	/** Releases what may be acquired, and wakes the next waiter; with a token of the caller it only wakes. Behind what is outstanding it awaits no answer. */
	public function withdraw(int $until, bool $behind): void
	{
		$arguments = $this->isCallers ? ($this->isSet ? ['', ''] : []) : [$this->token];
		try {
			if ($behind) {
				// Nobody would read that this user may not use the keys that wake: so it is released without them, and then wakes.
				$this->server->outstanding($until)->send(...array_map(fn (array $keys): array => Connection::words(...$this->translated('release', $keys, $arguments)),
					$this->server->hasUser ? [[$this->key], $this->keys()] : [$this->keys()]));
				$this->leave();
			} else {
				$this->ask('release', $this->keys(), $arguments, $until);
			}
		} catch (Trouble) {
			// The key is left to its ttl, and waiters to their checks.
		}
	}

	/** Gives the connection up. What has not left it by now never does if it would harm the next holder: one with the same token, or anybody. */
	private function leave(bool $mayBeLate = true): void
	{
		$mayBeLate && !$this->isCallers ? $this->server->leave() : $this->server->drop();
	}

	/* --- keep --- */

	/** $isAcquired: has acquire() returned? Until then nothing is lost. */
	public function extend(int $ttl, int $until = Server::NEVER, bool $isAcquired = true): bool
	{
		$this->refuseLeaving();
		$since = Server::now();
		// Could it shorten what the key has? Else it may arrive late without harm.
		$exactly = $ttl === 0 || !$this->ttlIsCertain || $this->ttl === 0 || $ttl < $this->ttl;
		[$was, $repeated] = [[$this->leastTtl, $this->validUntil], false];
		try {
			do {
				if ($exactly) {
					// Before it is asked: a signal handler may throw at any time.
					$this->leastTtl = $ttl > 0 ? min($ttl, $this->leastTtl ?: $ttl) : $this->leastTtl;
					$this->validUntil = min($this->validUntil, $this->validUntil($ttl, $since));
				}
				$keys = !$exactly || $ttl === 0 || $ttl >= 1100 ? [$this->key] : $this->keys();
				$answer = $this->ask($exactly ? 'extend' : 'lengthen', $keys, [$this->token, (string) $ttl], $until, true, $repeated);
				$exactly = $exactly || $answer === 2;
			} while ($answer === 2);
		} catch (Trouble $trouble) {
			$trouble->isUnknown || $repeated || [$this->leastTtl, $this->validUntil] = $was;
			throw $trouble;
		}
		// Behind its repetition the first of two requests may still arrive.
		$repeated || [$this->leastTtl, $this->validUntil] = $was;
		if ($answer !== 1) {
			return $this->lose($isAcquired);
		}
		[$this->ttl, $this->ttlIsCertain] = [$ttl, true];
		$this->hold($this->validUntil($ttl, $this->sentAt));

		return true;
	}

	public function confirm(): bool
	{
		/** @var int $left ask() has looked */
		$left = $this->ask('owned', [$this->key], [$this->token]);
		if ($left === -2) {
			return $this->lose();
		}
		$this->refuseLeaving();
		[$least, $most] = $left === -1 ? [Server::NEVER, Server::NEVER] : [$this->validUntil(max(1, $left), $this->sentAt), Server::later($left)];
		// Counted from the request and from the answer: a validity between the two is more precise.
		$this->hold(max($least, min($this->validUntil, $most)));

		return true;
	}

	private function refuseLeaving(): void
	{
		if ($this->releaseIsUnanswered) {
			$this->validUntil = 0;
			throw new Trouble('an earlier release of this lock may still be under way', $this->server->uri);
		}
	}

	public function upgrade(): bool
	{
		if ($this->downgradeIsUnanswered) {
			throw new Trouble('a downgrade() was not answered, and may still be executed: release the lock, and acquire it anew', $this->server->uri, false);
		}

		return $this->ask('set_upgrade', [$this->key], [$this->token]) === 1;
	}

	public function downgrade(): bool
	{
		// Executed late, it lets others in beside one who is alone again.
		$before = [$this->isSet, $this->downgradeIsUnanswered, $this->spentUntil];
		$this->isSet = $this->downgradeIsUnanswered = true;
		$this->spendToken($this->ttl);
		try {
			$isDone = $this->ask('set_downgrade', $this->keys(), [$this->token], mayRepeat: false) === 1;
		} catch (Trouble $trouble) {
			$trouble->isUnknown || [$this->isSet, $this->downgradeIsUnanswered, $this->spentUntil] = $before;
			throw $trouble;
		}
		[, $this->downgradeIsUnanswered, $this->spentUntil] = $before;

		return $isDone || $this->lose();
	}

	/* --- release --- */

	public function release(): bool
	{
		$rest = $this->options->holdAtLeast > 0 && $this->acquiredAt > 0 ? $this->acquiredAt + $this->options->holdAtLeast - Server::now() : 0;
		$resting = $rest > 0 ? [Token::resting($this->token), (string) $rest] : [];
		$wasValid = $this->left() > 0;
		$repeated = false;
		$was = [$this->validUntil, $this->releaseIsUnanswered, $this->spentUntil];
		// Before it is asked: a signal handler may throw at any time.
		[$this->validUntil, $this->releaseIsUnanswered] = [0, true];
		$this->spendToken($this->ttl);
		try {
			$answer = $this->ask('release', $this->keys(), [$this->token, ...$resting], Server::NEVER, true, $repeated);
		} catch (Trouble $trouble) {
			$trouble->isUnknown || $repeated || [$this->validUntil, $this->releaseIsUnanswered, $this->spentUntil] = $was;
			throw $trouble;
		}
		$this->spentUntil = $was[2];
		try {
			// It is free, and somebody has the turnstile, whom that has woken, unless he is dead.
			$answer !== 2 || $this->ask('release', $this->keys(), ['']);
		} catch (Trouble) {
			// It is released all the same.
		}
		if ($answer === 0 && !($repeated && $wasValid)) {
			$this->lose();
			$this->refuseNoLock();

			return false;
		}
		$this->isOurs && !$wasValid && Stats::count($this->server->uri, 'released_late');
		Stats::tell($this, 'released');
		$this->forget();

		return true;
	}

	/** Ends all holds, or the one that has this token. */
	public function free(#[\SensitiveParameter] ?string $token): bool
	{
		$isOwn = $this->left() > 0 && ($token ?? $this->token) === $this->token;
		$validUntil = $this->validUntil;
		$this->validUntil = $isOwn ? 0 : $validUntil;
		try {
			$answer = $token === null && !$this->isSet ? $this->ask('force_release', $this->keys(), [], mayRepeat: false) : -1;
			$answer = $answer === -1 ? $this->ask('set_free', $this->keys(), [(string) $token], mayRepeat: false) : $answer;
		} catch (Trouble $trouble) {
			$trouble->isUnknown || $this->validUntil = $validUntil;
			throw $trouble;
		}
		$this->validUntil = $validUntil;
		$answer !== -1 || throw $this->noLock($this->kind(true));
		$isOwn && $this->forget();

		return $answer === 1;
	}

	/* --- ask --- */

	/** @return Holder|null */
	public function holder(): ?array
	{
		/** @var array{string, int, int}|null $found */
		$found = $this->ask('holder', array_slice($this->keys(), 0, 2), []);

		// No string: one of several, or no lock.
		return ($found[0] ?? null) === '' ? $this->holders(true)[0] ?? null : ($found === null ? null : Token::holder($found[0], self::seconds($found[1]), $found[2] === 1));
	}

	/** @return list<Holder> */
	public function holders(bool $onlyFirst = false): array
	{
		[$found, $next] = [[], '0'];
		do {
			/** @var array{int, int, string}|null $page */
			$page = $this->ask('set_holders', array_slice($this->keys(), 0, 2), [$next]);
			[$waited, $next, $text] = [($page[0] ?? 0) === 1, (string) ($page[1] ?? 0), $page[2] ?? ''];
			while (preg_match('/^(-?\d+) \d+ (\d+) /', $text, $part) === 1) {
				$token = substr($text, strlen($part[0]), (int) $part[2]);
				$text = substr($text, strlen($part[0]) + (int) $part[2]);
				$token === '' && ($kind = $this->kind(false)) !== null && throw $this->noLock($kind);
				$found[] = Token::holder($token, self::seconds((int) $part[1]), $waited);
			}
		} while ($next !== '0' && !($onlyFirst && $found !== []));

		return $found;
	}

	private static function seconds(int $left): ?float
	{
		return $left >= 0 ? $left / 1000.0 : null;
	}

	/** A key that is not ours may hold no lock at all. What else goes wrong here is not told. */
	private function refuseNoLock(): void
	{
		try {
			$this->holder();
		} catch (Trouble $trouble) {
			$trouble->answer !== 'NOLOCK' || throw $trouble;
		}
	}

	public function noLock(?string $what): Trouble
	{
		return new Trouble('the key holds ' . ($what ?? 'something else than a string') . ', not a lock', $this->server->uri, false, answer: 'NOLOCK');
	}

	/** What the key holds, unless that may be a lock, or is not told. */
	public function kind(bool $tellsSortedSet): ?string
	{
		try {
			$type = $this->server->connection(Server::NEVER)->call(['TYPE', $this->key], Server::NEVER);
		} catch (Trouble) {
			$type = 'none';
		}

		return match ($type) {
			'string', 'none' => null,
			'zset' => $tellsSortedSet ? 'a sorted set' : null,
			'hash', 'list', 'set', 'stream' => "a $type",
			default => "a module's data",
		};
	}

	/** @return array{string, array, array} what a lock of this kind asks in its place */
	public function translated(string $script, array $keys, #[\SensitiveParameter] array $arguments): array
	{
		$isTold = $this->isSet ? self::OF_SETS[$script] ?? null : null;

		return $isTold === null ? [$script, $keys, $arguments]
			: ["set_$script", $keys, [$arguments[0] ?? '', ...($isTold ? $this->counted() : []), ...array_slice($arguments, 1)]];
	}

	/** Asks the server: once more if the connection breaks, unless that would do harm. */
	private function ask(string $script, array $keys, #[\SensitiveParameter] array $arguments, int $until = Server::NEVER, bool $mayRepeat = true, bool &$repeated = false): mixed
	{
		for ($repeats = $mayRepeat ? max(1, $this->server->retries) : 0; ; $repeats--) {
			$connection = $this->server->connection($until);
			try {
				$answer = $connection->run(...[...$this->translated($script, $keys, $arguments), $until]);
				$this->sentAt = $connection->sentAt;
				$types = self::LISTS[$script] ?? null;
				$fits = $types === null ? is_int($answer) : $answer === null || is_array($answer) && array_map(get_debug_type(...), $answer) === $types;

				return $fits ? $answer : throw $this->server->misfit();
			} catch (Trouble $trouble) {
				// Perhaps this user may not use the keys that wake.
				$this->wakesNobody = $this->wakesNobody || $trouble->answer === 'NOPERM' && count($keys) > 1;
				if ($this->wakesNobody && count($keys) > 1) {
					$keys = [$this->key];
				} elseif ($trouble->isBroken && $repeats > 0) {
					$repeated = true;
				} else {
					$trouble->isUnknown && $this->leave($mayRepeat);
					throw $trouble;
				}
			} catch (\Throwable $thrown) {
				$this->leave($mayRepeat);
				throw $thrown;
			}
		}
	}
}
