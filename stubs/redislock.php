<?php

namespace {

	/**
	 * A lock on a Redis or Valkey server.
	 *
	 * Two kinds. A lease (the default) lives until it is released or its ttl ends, whatever happens to this
	 * object or process. A process-bound lock (`renew => true`) is renewed while the process lives and freed when the
	 * object is destroyed or the request or process ends, however it ends; if it is lost all the same, the running code
	 * is told by RedisLock\LockLostException.
	 *
	 * Every method of RedisLock\Lock speaks of the configured name, and throws a ValueError where none is.
	 *
	 * Durations are seconds, fractions allowed; of the options, `retry` and the pauses between connections are ms. "Somebody else has it" is false, trouble
	 * with the server is a RedisLock\Exception, a wrong argument a ValueError or TypeError; the three are never mixed.
	 *
	 * @phpstan-type Seconds int|float|numeric-string|null
	 * @phpstan-type Flag bool|0|1|'0'|'1'|'true'|'false'|'on'|'off'|'yes'|'no'|''|null
	 * @phpstan-type Whole int|numeric-string|null
	 * @phpstan-type Text string|int|null
	 * @phpstan-type FromEnv int|float|string|null
	 * @phpstan-type Options array{name?: Text, prefix?: Text, token?: Text, label?: Text, ttl?: Seconds,
	 *     expiredTime?: Seconds, wait?: Seconds|'INF', waitTime?: Seconds|'INF', retry?: Seconds, frequency?: Seconds,
	 *     interval?: Seconds, seconds?: Seconds, max_hold?: Seconds, hold_at_least?: Seconds, linger?: Seconds, renew?: Flag,
	 *     reentrant?: Flag, fence?: Flag, on_lost?: 'throw'|'flag'|null, min_replicas?: Whole, replica_timeout?: Seconds,
	 *     release_async?: Flag, host?: string|null, hostname?: string|null, port?: FromEnv, scheme?: string|null,
	 *     path?: string|null, unixSocket?: string|null, unix_socket?: string|null, url?: string|null, database?: FromEnv,
	 *     db?: FromEnv, dbindex?: FromEnv, username?: Text, user?: Text, password?: Text, pass?: Text,
	 *     auth?: Text|array<Text>, client_name?: Text, persistent?: bool|Text, timeout?: FromEnv,
	 *     connectionTimeout?: FromEnv, connect_timeout?: FromEnv, connectTimeout?: FromEnv, read_write_timeout?: FromEnv,
	 *     read_timeout?: FromEnv, readTimeout?: FromEnv, dataTimeout?: FromEnv, retries?: FromEnv, max_retries?: FromEnv,
	 *     retry_interval?: FromEnv, retryInterval?: FromEnv, backoff_base?: FromEnv, backoff_cap?: FromEnv, useSSL?: bool|Text,
	 *     ssl?: bool|array<string, mixed>|null, context?: array<string, mixed>|null,
	 *     contextOptions?: array<string, mixed>|null, servers?: array<mixed>|null, sentinels?: array<mixed>|null,
	 *     service?: Text, redis_sentinel?: Text, sentinel_master?: Text, sentinel_service?: Text, sentinel_username?: Text,
	 *     sentinel_password?: Text, replication?: string|bool|null, cluster?: array<mixed>|bool|Text, redis_cluster?: bool|Text,
	 *     options?: array<mixed>|null, default?: array<mixed>|null, ...}
	 */
	class RedisLock implements RedisLock\Lock, Stringable
	{
		/**
		 * lock(): one try.
		 * @var int
		 */
		public const NONBLOCKED = 0;

		/**
		 * lock(): waits.
		 * @var int
		 */
		public const BLOCKED = 1;

		/**
		 * Connects to nothing yet.
		 *
		 * @param array|string $params connection and lock options in one array, or a URI
		 * @phpstan-param Options|string $params
		 * @param array $options merged over $params
		 * @phpstan-param Options $options
		 * @throws ValueError|TypeError an option is unknown, of the wrong type or out of range; the message names it
		 */
		public function __construct(
			#[\SensitiveParameter] array|string $params = [],
			#[\SensitiveParameter] array $options = []
		) {}

		/**
		 * Takes the lock of the configured name, with a fresh token. A waiter is woken by the release, in the order in which
		 * the waiters came; signal handlers run meanwhile, and one that throws ends the wait. Outside a wait, here and in
		 * every other method, a handler runs when the request under way is answered or given up, hence after
		 * `read_timeout` (2 s) at most.
		 *
		 * A connection that a server, proxy or balancer closed while it was idle costs one more try over a new one, with
		 * another token. A given `token` is tried again as it is, and counts as acquired if the key has it by then.
		 *
		 * @param float|null $wait seconds to go on trying: 0 one try, as long as `timeout` and `read_timeout` allow; above that
		 *     the call returns within 20 ms of the limit, connecting included, whatever the server does (with `servers`, when
		 *     their time limits have passed, too); INF without limit; null the option `wait`
		 * @return bool false: somebody else had it all that time
		 * @throws LogicException this object holds it already (unless `reentrant`), or is just waiting for it; a process-bound
		 *     lock whose object nothing keeps, so that it would be free again at once; `reentrant`, and
		 *     the lock was acquired without the `renew`, `on_lost`, `max_hold`, `fence`, `min_replicas`, `hold_at_least` or
		 *     `linger` asked for now
		 * @throws ValueError $wait is negative, NaN or above 10 years; no name is configured, as in all methods of RedisLock\Lock
		 * @throws TypeError $wait is a bool
		 * @throws RedisLock\Exception the key holds something else than a lock, a hash say
		 * @throws RedisLock\ConnectionException the server could not be asked, did not answer, or fewer than
		 *     `min_replicas` have it; what may have been locked is released behind it
		 * @throws RedisLock\RenewalException process-bound: the renewal child could not be started; nothing is locked
		 * @throws RedisLock\LockLostException with `release_async`, from any method that asks the server: the lock released
		 *     before had been lost by then; nothing is locked
		 */
		public function acquire(?float $wait = null): bool {}

		/**
		 * Sets the ttl to exactly $ttl from now, if the lock is still ours.
		 *
		 * @param float|null $ttl seconds, 0.001 to 10 years; also the ttl of later renewals; null the one last given; 0 drops
		 *     the expiry (leases on one server without hold_at_least and fence only)
		 * @return bool false: not held, or no longer ours
		 * @throws ValueError $ttl is out of range; of a process-bound lock it is 3600 at most
		 * @throws TypeError $ttl is a bool
		 * @throws LogicException a restored lock with `renew` whose object nothing keeps
		 * @throws RedisLock\ConnectionException not confirmed; the shorter of the old and the new validity counts
		 * @throws RedisLock\RenewalException a restored lock with `renew`: ours, and the key has its new ttl, but the renewal
		 *     child could not be started, so it does not count as held; it may be confirmed again, or released
		 */
		public function keepAlive(?float $ttl = null): bool {}

		/**
		 * Frees the lock, or puts it at rest for what is left of hold_at_least.
		 *
		 * A release whose connection breaks is said again over a new one. "Not ours" is then no clear answer: the first may
		 * have freed the lock, unseen. As long as the lock was valid nobody else could have it, and the answer is true,
		 * which is wrong only if somebody deleted or overwrote the key by hand, or the server lost it. Where the first
		 * cannot have arrived, since the server had hung up before, the answer is false.
		 *
		 * @return bool false: not held, or no longer ours
		 * @throws RedisLock\Exception no longer ours: the key holds something else than a lock
		 * @throws RedisLock\ConnectionException not confirmed; a lease may be released again, and is not extended or confirmed
		 *     any more, for a process-bound lock the renewal child goes on trying
		 */
		public function release(): bool {}

		/**
		 * Runs $code under this lock, as a process-bound lock, waiting as acquire() does; $code gets this object if it
		 * requires a parameter. See SequenceTask::execute() for how results and exceptions travel.
		 *
		 * @template T
		 * @phpstan-param callable(RedisLock): T $code
		 * @phpstan-return T
		 * @throws ValueError $code requires more than one parameter, or `renew` is false explicitly
		 * @throws LogicException $code is a generator function, whose body would run after the release; and as acquire(): a
		 *     lease that is held does not become process-bound by being entered again
		 * @throws RedisLock\NotAcquiredException somebody else has it
		 * @throws RedisLock\LockLostException it was lost before $code returned
		 * @throws RedisLock\ConnectionException|RedisLock\RenewalException before $code runs
		 */
		public function synchronized(callable $code): mixed {}

		/** Is the lock held and its validity not over? Asks nobody: no round trip. */
		public function isHeld(): bool {}

		/**
		 * Asks the server whether the lock is ours. Confirms a restored lock, taking over the ttl found. A late
		 * answer takes nothing from the validity of a lock that was acquired.
		 *
		 * @throws LogicException as keepAlive()
		 * @throws RedisLock\ConnectionException
		 * @throws RedisLock\RenewalException as keepAlive(), but the key keeps the ttl it has
		 */
		public function isAcquired(): bool {}

		/** Seconds of validity left by our own clock, 0.0 when none, INF for a lock without expiry. No round trip. */
		public function remaining(): float {}

		/**
		 * Deletes the lock, whoever holds it. For operators. If this object holds it, its lock is over, and that counts as no
		 * loss; other holders learn of theirs as of any other one, though nobody enters it again by `reentrant`.
		 *
		 * @return bool false: nobody held it
		 * @throws RedisLock\Exception the key holds something else than a string, so no lock; it is left alone
		 * @throws RedisLock\ConnectionException not confirmed; a process-bound lock of this object is over all the same, and
		 *     the renewal child goes on trying to release it
		 */
		public function forceRelease(): bool {}

		/**
		 * Who holds it now?
		 *
		 * @return array|null null: nobody. Else token: string; host, label: ?string and pid: ?int (null for a holder that
		 *     is not of our making); ttl: ?float seconds (null: no expiry); waited: bool somebody waits; resting: bool nobody
		 *     works under it, it is kept by hold_at_least or linger
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 * @throws RedisLock\Exception the key holds something else than a lock; a sorted set, where Symfony's own store has
		 *     its locks, is a holder with an empty token
		 * @throws RedisLock\ConnectionException
		 */
		public function holder(): ?array {}

		/**
		 * Gives the lock away: ends renewal and every automatic release. The key keeps the ttl it has; just after a wait, that
		 * is first made the whole one, which takes a round trip.
		 *
		 * @return string the token, for restore()
		 * @throws LogicException it is not held
		 * @throws RedisLock\LockLostException it is no longer ours
		 * @throws RedisLock\ConnectionException the ttl could not be confirmed: the lock is not given away, and held as before
		 */
		public function detach(): string {}

		/**
		 * Takes over a lock by its token. No I/O: it counts as held once keepAlive() or isAcquired() has confirmed it.
		 * acquire() before that takes a token of its own, and leaves the one given to its ttl.
		 *
		 * @param array|string $params as for the constructor
		 * @phpstan-param Options|string $params
		 * @throws ValueError $name or $token is empty or too long
		 */
		public static function restore(
			#[\SensitiveParameter] array|string $params,
			string $name,
			#[\SensitiveParameter] string $token
		): static {}

		/**
		 * A fresh token of our own format, for callers that must know the owner before acquiring (option `token`).
		 *
		 * @param string|null $label shown by holder(), at most 64 bytes
		 * @throws ValueError $label is too long
		 */
		public static function newToken(?string $label = null): string {}

		/**
		 * The configured name, without prefix.
		 *
		 * @throws ValueError none is configured
		 */
		public function getName(): string {}

		/** The token while held or restored, else null. */
		public function getToken(): ?string {}

		/** The fencing number of this acquisition (option `fence`), else null. It grows with every acquisition. */
		public function getFence(): ?int {}

		/** "name[ttl]", without a configured name "[ttl]"; never the token. */
		public function __toString(): string {}

		/**
		 * Takes the lock of any name, over the same connection.
		 *
		 * @param int $policy NONBLOCKED: one try. BLOCKED: waits `waitTime` of $config (0: one try), else the option `wait`
		 *     if above 0, else 10 s
		 * @param array $config lock options for this call, merged over those of the object
		 * @phpstan-param Options $config
		 * @return bool false: somebody else has it
		 * @throws LogicException this object holds that name already (unless `reentrant`), and as acquire()
		 * @throws ValueError
		 * @throws RedisLock\Exception as acquire()
		 */
		public function lock(
			string $name,
			int $policy = RedisLock::NONBLOCKED,
			#[\SensitiveParameter] array $config = []
		): bool {}

		/**
		 * Frees what lock() took.
		 *
		 * @return bool false: not held, or no longer ours
		 * @throws ValueError $name is none that lock() would take
		 * @throws RedisLock\ConnectionException as release()
		 */
		public function unlock(string $name): bool {}
	}

	/**
	 * One job, one process at a time, on any number of machines.
	 *
	 * @phpstan-import-type Options from RedisLock
	 */
	final class SequenceTask
	{
		private function __construct() {}

		/**
		 * Runs $callable under a process-bound lock. It gets the RedisLock if it requires a parameter.
		 *
		 * Returns what $callable returns, as soon as it has returned. Its own exception always wins; trouble on release and,
		 * however it was found, the loss of the lock are then at the end of its chain of previous ones, with `on_lost` =>
		 * 'flag', too. If the release of finished work cannot be confirmed while the lock is still
		 * valid, the result is returned with a warning, and the renewal child goes on trying.
		 *
		 * @template T
		 * @param array $config as for RedisLock::__construct(); ttl defaults to 30 s, interval to a third of it
		 * @phpstan-param Options $config
		 * @phpstan-param callable(RedisLock): T $callable
		 * @phpstan-return T
		 * @throws ValueError $callable requires more than one parameter, `renew` is false explicitly, or there is no `name`
		 * @throws LogicException as synchronized()
		 * @throws RedisLock\NotAcquiredException somebody else has the lock, and had it for all of `wait`
		 * @throws RedisLock\LockLostException the lock was lost: thrown inside the running callable, and, should that catch
		 *     it, when it returns (getResult() has the result)
		 * @throws RedisLock\ConnectionException|RedisLock\RenewalException before $callable runs
		 */
		public static function execute(#[\SensitiveParameter] array $config, callable $callable): mixed {}

		/** The lock of the innermost execute() or synchronized() around the caller in its fiber; null outside. */
		public static function current(): ?RedisLock {}
	}
}

namespace RedisLock {

	/**
	 * One lock of one name: what RedisLock can do with its configured name. Type your code against it, and test it with
	 * a lock that needs no server. What each method promises in full stands with RedisLock.
	 */
	interface Lock
	{
		/**
		 * Takes the lock; false: somebody else had it all that time.
		 *
		 * @param float|null $wait seconds: 0 one try, INF no limit, null as configured
		 * @throws \LogicException it is held by this object already
		 * @throws \ValueError $wait is out of range
		 * @throws \RedisLock\Exception trouble with the server; nothing stays locked
		 */
		public function acquire(?float $wait = null): bool;

		/**
		 * Sets the ttl to $ttl seconds from now; false: not held, or no longer ours.
		 *
		 * @throws \ValueError $ttl is out of range
		 * @throws \RedisLock\Exception not confirmed
		 */
		public function keepAlive(?float $ttl = null): bool;

		/**
		 * Frees the lock; false: not held, or no longer ours.
		 *
		 * @throws \RedisLock\Exception not confirmed
		 */
		public function release(): bool;

		/**
		 * Runs $code under this lock and returns what it returns.
		 *
		 * @template T
		 * @phpstan-param callable(Lock): T $code
		 * @phpstan-return T
		 * @throws \ValueError|\LogicException $code cannot be run under a lock
		 * @throws \RedisLock\NotAcquiredException somebody else has it
		 * @throws \RedisLock\LockLostException it was lost before $code returned
		 * @throws \RedisLock\Exception trouble with the server, before $code runs
		 */
		public function synchronized(callable $code): mixed;

		/** Is the lock held and its validity not over? Asks nobody. */
		public function isHeld(): bool;

		/**
		 * Asks the server whether the lock is ours.
		 *
		 * @throws \RedisLock\Exception the server could not be asked
		 */
		public function isAcquired(): bool;

		/** Seconds of validity left, 0.0 when none, INF for a lock without expiry. */
		public function remaining(): float;

		/**
		 * Deletes the lock, whoever holds it; false: nobody did.
		 *
		 * @throws \RedisLock\Exception not confirmed
		 */
		public function forceRelease(): bool;

		/**
		 * Who holds it now? null: nobody.
		 *
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 * @throws \RedisLock\Exception the server could not be asked
		 */
		public function holder(): ?array;

		/**
		 * Gives the lock away, and the token with which it can be taken over.
		 *
		 * @throws \LogicException it is not held
		 * @throws \RedisLock\LockLostException it is no longer ours
		 * @throws \RedisLock\Exception its ttl could not be confirmed
		 */
		public function detach(): string;

		/** The configured name, without prefix. */
		public function getName(): string;

		/** The token while held or restored, else null. */
		public function getToken(): ?string;

		/** The fencing number of this acquisition, else null. */
		public function getFence(): ?int;
	}

	/**
	 * Locks on several independent servers, held by whoever has most of them (the Redlock algorithm). All servers are asked
	 * at the same time, and the answer is there as soon as most of them agree; one that is dead, hung or slow is given up
	 * after its time limit and costs later calls nothing. RedisLock and SequenceTask take such a quorum as well, by the
	 * option `servers`. When this is worth it, and when one server is better, is in docs/guide/safety.md.
	 *
	 * Also called RedLock, without namespace, unless `redislock.redlock_class` is 0 in php.ini.
	 *
	 * @phpstan-import-type Options from \RedisLock
	 */
	class RedLock
	{
		/**
		 * Connects to nothing yet.
		 *
		 * @param array $servers each a [host, port, timeout], a "host:port" or URI, or an array of connection options; 1 to 32,
		 *     none of them twice. What they leave open they have from $options; time limits nobody gives are 0.05 s
		 * @param int $retryDelay ms between two attempts: a random time from half of it to all of it
		 * @param int $retryCount attempts altogether; 0 counts as 1. None more where a majority refuses for good, for want of the
		 *     right password, say
		 * @param array $options connection options of all servers, and lock options but `name`, `ttl`, `wait`, `retry`,
		 *     `reentrant`, `fence`, `min_replicas` and `release_async`; with `renew => true` the locks are process-bound
		 * @phpstan-param Options $options
		 * @throws \ValueError|\TypeError an argument or option is wrong; the message names it
		 */
		public function __construct(
			#[\SensitiveParameter] array $servers,
			int $retryDelay = 200,
			int $retryCount = 3,
			#[\SensitiveParameter] array $options = []
		) {}

		/**
		 * Takes the lock, with a fresh token for each attempt.
		 *
		 * @param int $ttl ms, at least 1, with `renew` 2 to 3600000
		 * @return array{validity: float, resource: string, token: string}|false false: somebody else has it. validity: ms it
		 *     may be relied upon from now, which is the ttl less the time this took, 1 % and 2 ms
		 * @throws \ValueError $resource is no name for a lock, or $ttl is out of range
		 * @throws \RedisLock\ConnectionException fewer than a majority of the servers answered in the last attempt; getNodes()
		 *     tells of each. Nothing stays locked
		 * @throws \RedisLock\RenewalException with `renew`: the renewal child could not be started; nothing is locked
		 */
		public function lock(string $resource, int $ttl): array|false {}

		/**
		 * Sets the ttl to exactly $ttl from now, where the lock is still ours.
		 *
		 * @param array $lock what lock() or extend() gave, also in another process
		 * @param int|null $ttl ms; null: as given last, to this object
		 * @return array{validity: float, resource: string, token: string}|false as lock(); false: it is no longer
		 *     ours on a majority of the servers
		 * @throws \ValueError $lock is no such array; or $ttl is out of range; or it is null, and the lock is still there, but this object did not
		 *     make it, or has forgotten it since its validity was over
		 * @throws \RedisLock\ConnectionException too few servers answered to know
		 * @throws \RedisLock\RenewalException with `renew`, for a lock this object did not make: the keys have the new ttl, but
		 *     the renewal child could not be started, so nothing renews them
		 */
		public function extend(#[\SensitiveParameter] array $lock, ?int $ttl = null): array|false {}

		/**
		 * Frees the lock on all servers that may have it, those included that will answer later.
		 *
		 * @param array|false $lock what lock() or extend() gave; false is allowed, and false
		 * @return bool true: a majority confirmed it. False: it was no longer ours
		 * @throws \ValueError $lock is no such array
		 * @throws \RedisLock\ConnectionException too few servers answered to know; keys that are left end with their ttl
		 */
		public function unlock(#[\SensitiveParameter] array|false $lock): bool {}
	}

	/**
	 * Base of everything that goes wrong with a server or a lock.
	 */
	class Exception extends \RuntimeException
	{
		private ?string $node = null;
		private bool $retryable = false;

		/** "tcp://host:port", "tls://host:port" or "unix:///path" of the server concerned, null when none is. */
		public function getNode(): ?string {}

		/** May the same call succeed later, with nothing changed? */
		public function isRetryable(): bool {}
	}

	/** The server cannot be reached, does not answer in time, refuses the credentials, or answers with an error. */
	class ConnectionException extends Exception
	{
		private array $nodes = [];

		/**
		 * On several servers, what each of them said: its label, as of getNode(), to "yes", "no", "no answer yet", "not asked" or what went
		 * wrong. Empty where there is one server, and for wrong arguments.
		 *
		 * @return array<string, string>
		 */
		public function getNodes(): array {}
	}

	/** Somebody else holds the lock. */
	class NotAcquiredException extends Exception
	{
		private ?array $holder = null;
		private array $nodes = [];

		/**
		 * As RedisLock::holder(), where a second look found one. It takes what is left of `wait`, and 50 ms.
		 *
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 */
		public function getHolder(): ?array {}

		/** Seconds until the holder's key expires unless renewed, where a second look found one. */
		public function getRemaining(): ?float {}

		/**
		 * On several servers, what that look found on each: its label, as of getNode(), to who holds the lock there, "free",
		 * or what went wrong. Empty where there is one server.
		 *
		 * @return array<string, string>
		 */
		public function getNodes(): array {}
	}

	/** The lock was ours and is no more. */
	class LockLostException extends Exception
	{
		private bool $finished = false;
		private mixed $result = null;

		/** Had the callable returned when the loss was reported? */
		public function hasResult(): bool {}

		/** What the callable returned; null when it had not. */
		public function getResult(): mixed {}
	}

	/** The renewal child could not be started. */
	class RenewalException extends Exception
	{
	}
}

namespace {

	/** Another name of RedisLock\RedLock, unless `redislock.redlock_class` is 0 in php.ini. */
	class RedLock extends RedisLock\RedLock
	{
	}
}
