<?php

/**
 * @generate-class-entries
 * @generate-function-entries
 */

namespace {

	/**
	 * A lock on a Redis or Valkey server.
	 *
	 * There are two kinds of lock. A lease (the default) lives until it is released or its ttl ends, whatever happens to
	 * this object or to the process. A process-bound lock (`renew => true`) is renewed while the process lives. It is freed
	 * when the object is destroyed, or when the request or process ends, for whatever reason. If it is lost, the running code
	 * gets a RedisLock\LockLostException.
	 *
	 * Every method of RedisLock\ManagedLock uses the configured name, and throws a ValueError if there is none.
	 *
	 * Durations are seconds and may have fractions. Only the option `retry_ms` and the pauses between tries to connect are ms.
	 *
	 * The result false means that another process has the lock. Trouble with the server is a RedisLock\Exception. A wrong
	 * argument is a ValueError or TypeError. The three are never mixed.
	 *
	 * @phpstan-type Seconds int|float|numeric-string|null
	 * @phpstan-type Flag bool|0|1|'0'|'1'|'true'|'false'|'on'|'off'|'yes'|'no'|''|null
	 * @phpstan-type Whole int|numeric-string|null
	 * @phpstan-type Text string|int|null
	 * @phpstan-type FromEnv int|float|string|null
	 * @phpstan-type Options array{name?: Text, prefix?: Text, token?: Text, label?: Text, ttl?: Seconds,
	 *     expiredTime?: Seconds, wait?: Seconds|'INF', waitTime?: Seconds|'INF', retry_ms?: Seconds, frequency?: Seconds,
	 *     interval?: Seconds, max_hold?: Seconds, hold_at_least?: Seconds, linger?: Seconds, renew?: Flag,
	 *     reentrant?: Flag, fence?: Flag, permits?: Whole, weight?: Whole, shared?: Flag, on_lost?: 'throw'|'flag'|null,
	 *     min_replicas?: Whole, replica_timeout?: Seconds,
	 *     host?: string|null, hostname?: string|null, port?: FromEnv, scheme?: string|null,
	 *     path?: string|null, unixSocket?: string|null, unix_socket?: string|null, url?: string|null, database?: FromEnv,
	 *     db?: FromEnv, dbindex?: FromEnv, username?: Text, user?: Text, password?: Text, pass?: Text,
	 *     auth?: Text|array<Text>, client_name?: Text, persistent?: bool|Text, timeout?: FromEnv,
	 *     connectionTimeout?: FromEnv, connect_timeout?: FromEnv, connectTimeout?: FromEnv, read_write_timeout?: FromEnv,
	 *     read_timeout?: FromEnv, readTimeout?: FromEnv, dataTimeout?: FromEnv, retries?: FromEnv, max_retries?: FromEnv,
	 *     retry_interval?: FromEnv, retryInterval?: FromEnv, useSSL?: bool|Text,
	 *     ssl?: bool|array<string, mixed>|null, servers?: array<mixed>|null, sentinels?: array<mixed>|null,
	 *     service?: Text, sentinel_username?: Text,
	 *     sentinel_password?: Text, cluster?: array<mixed>|bool|Text, ...}
	 *
	 * @strict-properties
	 * @not-serializable
	 */
	class RedisLock implements RedisLock\ManagedLock, Stringable
	{
		/**
		 * For lock(): one try.
		 * @var int
		 * @cvalue REDISLOCK_NONBLOCKED
		 */
		public const NONBLOCKED = UNKNOWN;

		/**
		 * For lock(): wait for the lock.
		 * @var int
		 * @cvalue REDISLOCK_BLOCKED
		 */
		public const BLOCKED = UNKNOWN;

		/**
		 * Creates the object. It does not connect yet.
		 *
		 * @param array|string $params connection and lock options in one array, or a URI
		 * @phpstan-param Options|string $params
		 * @param array $options merged over $params
		 * @phpstan-param Options $options
		 * @throws ValueError|TypeError an option is unknown, has the wrong type or is out of range; the message names it
		 */
		public function __construct(
			#[\SensitiveParameter] array|string $params = [],
			#[\SensitiveParameter] array $options = []
		) {}

		/**
		 * Acquires the lock of the configured name, with a fresh token.
		 *
		 * A release wakes the waiters in the order in which they came. Signal handlers run during a wait, and an exception from a
		 * handler ends it. Outside a wait, here and in every other method, a handler runs when the current request is answered or
		 * given up, so after `read_timeout` (2 s) at most.
		 *
		 * A token of your own (option `token`) is spent after a try or a release() without an answer, until its ttl ends: acquire()
		 * of this object throws a ConnectionException.
		 *
		 * @param float|null $wait seconds to go on trying. 0: one try, within `timeout` and `read_timeout`. Above 0: the call
		 *     returns within 20 ms of the limit, connecting included, whatever the servers do. INF: no limit. null: the option
		 *     `wait`
		 * @return bool false: another process had the lock all that time
		 * @throws LogicException this object already holds the lock (unless `reentrant`); or it is in use: a signal handler or
		 *     another fiber may not call this, keepAlive(), release() and the like while one of them is under way; or $wait is INF,
		 *     and another object of this process holds the lock without end; or the lock is
		 *     process-bound and its object is not kept in a variable, so it would be free again at once; or, with `reentrant`,
		 *     the lock was acquired without the `renew`, `on_lost`, `max_hold`, `fence`, `min_replicas`, `hold_at_least` or
		 *     `linger` of this call, or the `ttl` of 0
		 * @throws ValueError $wait is negative, NaN or above 10 years; or no name is configured, as in all methods of
		 *     RedisLock\ManagedLock
		 * @throws TypeError $wait is a bool
		 * @throws RedisLock\Exception the key holds something else than a lock, for example a hash
		 * @throws RedisLock\ConnectionException the server could not be asked, did not answer, or fewer than `min_replicas` have
		 *     the lock; a lock that may have been set is released after the request
		 * @throws RedisLock\RenewalException process-bound: the renewal child could not be started; nothing is locked
		 */
		#[\NoDiscard]
		public function acquire(?float $wait = null): bool {}

		/**
		 * Sets the ttl to exactly $ttl from now, if the lock is still ours, whatever the key had. A request that is still under way,
		 * a renewal or an earlier keepAlive() without an answer, can only make it longer.
		 *
		 * @param float|null $ttl seconds, 0.001 (on several servers 0.01) to 10 years; also the ttl of later renewals. null: the ttl given last. 0: no
		 *     expiry (only leases on one server without hold_at_least and fence)
		 * @return bool false: not held, or no longer ours
		 * @throws ValueError $ttl is out of range; for a process-bound lock it is 3600 at most
		 * @throws TypeError $ttl is a bool
		 * @throws LogicException the lock was restored with `renew`, and its object is not kept in a variable
		 * @throws RedisLock\ConnectionException not confirmed. If $ttl is shorter than the last one, the shorter validity counts from
		 *     then on, whatever later calls confirm, because the request may still arrive; else nothing has changed
		 * @throws RedisLock\RenewalException the lock was restored with `renew`. It is ours, and the key has its new ttl. But the
		 *     renewal child could not be started, so it does not count as held. It may be confirmed again, or released
		 */
		#[\NoDiscard]
		public function keepAlive(?float $ttl = null): bool {}

		/**
		 * Frees the lock. With hold_at_least the key is kept for the rest of that time.
		 *
		 * If the connection breaks, the release is sent again over a new one. "Not ours" then counts as true if the lock was valid
		 * and the first request may have arrived: nobody else could have it.
		 *
		 * @return bool false: not held, or no longer ours
		 * @throws RedisLock\Exception no longer ours: the key holds something else than a lock
		 * @throws RedisLock\ConnectionException not confirmed. A lease may be released again, but it is not extended or confirmed
		 *     any more. For a process-bound lock the renewal child goes on trying; one with the option `token` is left to its ttl
		 */
		public function release(): bool {}

		/**
		 * Runs $code under this lock, as a process-bound lock. It waits as acquire() does. $code gets this object if it requires
		 * a parameter. SequenceTask::execute() describes results and exceptions.
		 *
		 * @template T
		 * @phpstan-param callable(RedisLock): T $code
		 * @phpstan-return T
		 * @throws ValueError $code requires more than one parameter, or `renew` is explicitly false
		 * @throws LogicException $code is a generator function, whose body would run after the release; or as acquire(), for
		 *     example because the object holds a lease, which cannot become process-bound
		 * @throws RedisLock\NotAcquiredException another process has the lock
		 * @throws RedisLock\LockLostException the lock was lost before $code returned
		 * @throws RedisLock\ConnectionException|RedisLock\RenewalException before $code runs
		 */
		public function synchronized(callable $code): mixed {}

		/** Whether the lock is held and its validity is not over. It does not ask the server: no round trip. */
		public function isHeld(): bool {}

		/**
		 * Asks the server whether the lock is ours. It confirms a restored lock; its validity is then the time that
		 * the key has left. A late answer does not shorten the validity of a lock that was acquired.
		 *
		 * @throws LogicException as keepAlive()
		 * @throws RedisLock\ConnectionException
		 * @throws RedisLock\RenewalException as keepAlive(), but the key keeps its ttl
		 */
		public function isAcquired(): bool {}

		/** Seconds of validity left by our own clock. 0.0: none. INF: a lock without expiry. No round trip. */
		public function remaining(): float {}

		/**
		 * Deletes the lock, whoever holds it. For operators. If this object holds it, its lock is over, and that does not count as
		 * a loss. Other holders learn of their loss as of any other loss. No object enters the lock again by `reentrant`.
		 *
		 * @param string|null $token of holder() or holders(): ends the hold of this token alone, and nothing if that has ended
		 * @return bool false: nobody held it, or not with this token
		 * @throws ValueError the token is empty or too long, is `__write__`, or ends in `#` and a number
		 * @throws RedisLock\Exception the key holds something else than a string, so no lock; it is not deleted. With a token it may
		 *     be a sorted set, as Symfony's own store keeps its locks
		 * @throws RedisLock\ConnectionException not confirmed. A process-bound lock of this object is over anyway, and the renewal
		 *     child goes on trying to release it
		 */
		public function forceRelease(#[\SensitiveParameter] ?string $token = null): bool {}

		/**
		 * Says who holds the lock now.
		 *
		 * @return array|null null: nobody. Else token: string; host, label: ?string and pid: ?int (null for a holder that is
		 *     not redislock); ttl: ?float seconds (null: no expiry); waited: bool, somebody waits; resting: bool, nobody works
		 *     any more and hold_at_least or linger keeps the key
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 * @throws RedisLock\Exception the key holds something else than a lock. A sorted set, which Symfony's own store uses for
		 *     its locks, is a holder with an empty token
		 * @throws RedisLock\ConnectionException
		 */
		public function holder(): ?array {}

		/**
		 * Lists the holders of the lock, the first to end first: several with `permits` and `shared`, and readers of Symfony's own
		 * store.
		 *
		 * @return array an array as from holder() for each; none: nobody holds it
		 * @phpstan-return list<array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}>
		 * @throws RedisLock\Exception the key holds something else than a lock
		 * @throws RedisLock\ConnectionException
		 */
		public function holders(): array {}

		/**
		 * Makes a holder that shares the lock (option `shared`) hold it alone, with the same token. One try: to wait for the other
		 * holders, release the lock, and acquire it alone.
		 *
		 * @return bool false: others share it, or it is not held. A plain lock that is held: true
		 * @throws LogicException the lock has permits
		 * @throws RedisLock\ConnectionException the server could not be asked, or did not answer: the lock is held, alone or shared; or a
		 *     downgrade() since acquire() was not answered, and may still be executed: it is shared
		 */
		public function upgrade(): bool {}

		/**
		 * Makes the only holder, of a plain lock or after upgrade(), share the lock: others that share it may acquire it from now on.
		 *
		 * @return bool false: it was not held, or no longer ours
		 * @throws LogicException the lock has permits or no expiry, is on several servers, or was entered again (`reentrant`)
		 * @throws RedisLock\ConnectionException not confirmed
		 */
		public function downgrade(): bool {}

		/**
		 * Gives the lock away: ends renewal and every automatic release. The key keeps its ttl. Just after a wait the key is first
		 * extended to the full ttl, which takes a round trip.
		 *
		 * @return string the token, for restore()
		 * @throws LogicException the lock is not held
		 * @throws RedisLock\LockLostException the lock is no longer ours
		 * @throws RedisLock\ConnectionException the ttl could not be confirmed; the lock is not given away, and is held as before
		 */
		public function detach(): string {}

		/**
		 * Makes this process run another program, which keeps the lock for as long as it runs: same pid, no PHP left, exit
		 * status and signals its own. The renewal child goes on. It frees the lock within milliseconds when the program ends,
		 * however that ends; processes that the program leaves behind do not keep the lock. If the lock is lost, the child
		 * sends SIGTERM to the program, and SIGKILL after $grace seconds, whatever `on_lost` says.
		 *
		 * As with every exec, no destructor, shutdown function or output buffer is run any more. Signal mask, open files, user and
		 * folder stay. Other process-bound locks go along, and the loss of one ends the program, too. A program of another user
		 * (setuid) cannot be sent signals. If somebody kills the renewal child, the lock ends with its ttl while the program goes on.
		 *
		 * It needs the renewal child, Linux 5.3 and a process that does not serve requests.
		 *
		 * @param string $program a path, or a name that is looked for in PATH
		 * @param array $args its arguments, from $argv[1] on
		 * @phpstan-param array<scalar|Stringable|null> $args
		 * @param array|null $env its whole environment; null: that of this process, putenv() included
		 * @phpstan-param array<scalar|Stringable|null>|null $env
		 * @param float $grace seconds between SIGTERM and SIGKILL when the lock is lost. INF: no SIGKILL
		 * @throws LogicException the lock is not held, is a lease, or is in use by another call
		 * @throws ValueError an argument contains a null byte, a name in $env is empty or has a "=", or $grace is negative
		 * @throws RedisLock\LockLostException the lock is no longer ours
		 * @throws RedisLock\RenewalException a thread renews the lock, the system has no pidfd_send_signal(), or this process
		 *     serves requests; the lock is held as before
		 * @throws RedisLock\Exception the program cannot be run; the lock is held as before
		 */
		public function exec(
			string $program,
			array $args = [],
			#[\SensitiveParameter] ?array $env = null,
			float $grace = 10.0
		): never {}

		/**
		 * Takes over a lock by its token. It sends nothing. The lock counts as held when keepAlive() or isAcquired() has confirmed
		 * it. An acquire() before that uses a token of its own, and leaves the restored lock to its ttl.
		 *
		 * @param array|string $params as for the constructor
		 * @phpstan-param Options|string $params
		 * @param array $options merged over $params
		 * @phpstan-param Options $options
		 * @throws ValueError $name or $token is empty or too long, $token is `__write__` or ends in `#` and a number, or an option is
		 *     wrong; a `name` among the options is ignored
		 */
		public static function restore(
			#[\SensitiveParameter] array|string $params,
			string $name,
			#[\SensitiveParameter] string $token,
			#[\SensitiveParameter] array $options = []
		): static {}

		/**
		 * Lets the locks of this thread wait in your event loop, instead of blocking it.
		 *
		 * While a lock waits in a fiber, or in a coroutine of Swoole, the poller is called with the streams of the wait. It suspends
		 * the fiber until one of them is ready or the time is over, and may return earlier. It is called for waits longer than 1 ms. Waits block in destructors, in shutdown functions, in signal handlers, while an exception is under way, and in a
		 * fiber that is being destroyed.
		 *
		 * An exception of the poller ends the wait, and the call of the lock throws it. If the fiber is destroyed while it waits, a lock
		 * that it may have acquired is released. An object that waits is in use: another fiber that calls its acquire() and the like gets a LogicException.
		 *
		 * @param callable|null $poller function (array $read, array $write, ?float $seconds): void, with streams as for
		 *     stream_select(); null for $seconds: no limit. null: waits block again, as at the start of a request
		 * @phpstan-param (callable(list<resource>, list<resource>, float|null): void)|null $poller
		 * @param bool $main the poller may be called outside of fibers and coroutines, too
		 * @return callable|null the poller before
		 */
		public static function setPoller(?callable $poller, bool $main = false): ?callable {}

		/**
		 * Makes a fresh token, for code that must know the owner before it acquires (option `token`).
		 *
		 * @param string|null $label shown by holder(), at most 64 bytes
		 * @throws ValueError $label is too long
		 */
		public static function newToken(?string $label = null): string {}

		/**
		 * The configured name, without prefix.
		 *
		 * @throws ValueError no name is configured
		 */
		public function getName(): string {}

		/** The token while the lock is held or restored, else null. */
		public function getToken(): ?string {}

		/** The fencing number of this acquisition (option `fence`), else null. It grows with every acquisition. */
		public function getFence(): ?int {}

		/** "name[ttl]", or "[ttl]" without a configured name. Never the token. */
		public function __toString(): string {}

		/**
		 * Acquires the lock of any name, over the same connection. This is the shape of the articles, with their policies and option
		 * names, and stays. Code of your own is clearer with one object a name: acquire() and release().
		 *
		 * @param int $policy NONBLOCKED: one try. BLOCKED: waits for `waitTime` of $config (0: one try), else for the option
		 *     `wait` if it is above 0, else for 10 s
		 * @param array $config lock options for this call, merged over those of the object
		 * @phpstan-param Options $config
		 * @return bool false: another process has the lock
		 * @throws LogicException this object already holds that name (unless `reentrant`), or as acquire()
		 * @throws ValueError $name, $policy or an option is wrong
		 * @throws RedisLock\Exception as acquire()
		 */
		public function lock(
			string $name,
			int $policy = RedisLock::NONBLOCKED,
			#[\SensitiveParameter] array $config = []
		): bool {}

		/**
		 * Frees a lock that lock() acquired.
		 *
		 * @return bool false: not held, or no longer ours
		 * @throws ValueError $name is not a valid name
		 * @throws RedisLock\ConnectionException as release()
		 */
		public function unlock(string $name): bool {}
	}

	/**
	 * Runs a job in one process at a time, on any number of machines. execute() is the shape that articles about such tasks have
	 * given it, and stays. `(new RedisLock($config))->synchronized($callable)` does the same.
	 *
	 * @phpstan-import-type Options from RedisLock
	 *
	 * @strict-properties
	 * @not-serializable
	 */
	final class SequenceTask
	{
		private function __construct() {}

		/**
		 * Runs $callable under a process-bound lock. It gets the RedisLock if it requires a parameter.
		 *
		 * Returns what $callable returns, as soon as it has returned. An exception of $callable always wins. Trouble on release, or
		 * the loss of the lock, is then added at the end of its chain of previous exceptions, also with `on_lost` => 'flag'. If the
		 * work is done, and the release cannot be confirmed while the lock is still valid, the result is returned with a warning,
		 * and the renewal child goes on trying.
		 *
		 * @template T
		 * @param array $config as for RedisLock::__construct(); ttl defaults to 30 s, interval to a third of it
		 * @phpstan-param Options $config
		 * @phpstan-param callable(RedisLock): T $callable
		 * @phpstan-return T
		 * @throws ValueError $callable requires more than one parameter, `renew` is explicitly false, or there is no `name`
		 * @throws LogicException as synchronized()
		 * @throws RedisLock\NotAcquiredException another process had the lock for all of `wait`
		 * @throws RedisLock\LockLostException the lock was lost. It is thrown inside the running callable. If the callable catches
		 *     it, it is thrown again when the callable returns (getResult() has the result)
		 * @throws RedisLock\ConnectionException|RedisLock\RenewalException before $callable runs
		 */
		public static function execute(#[\SensitiveParameter] array $config, callable $callable): mixed {}

		/** The lock of the innermost execute() or synchronized() that the caller's fiber or coroutine is in. null: none. */
		public static function current(): ?RedisLock {}
	}
}

namespace RedisLock {

	/**
	 * The methods that code under a lock needs. Use it as a type in your code, and test that code with a lock that needs no server.
	 * RedisLock describes each method in full.
	 */
	interface Lock
	{
		/**
		 * Acquires the lock. false: another process had it all that time.
		 *
		 * @param float|null $wait seconds. 0: one try. INF: no limit. null: as configured
		 * @throws \LogicException this object already holds the lock
		 * @throws \ValueError $wait is out of range
		 * @throws \RedisLock\Exception trouble with the server; nothing stays locked
		 */
		#[\NoDiscard]
		public function acquire(?float $wait = null): bool;

		/**
		 * Sets the ttl to $ttl seconds from now. false: not held, or no longer ours.
		 *
		 * @throws \ValueError $ttl is out of range
		 * @throws \RedisLock\Exception not confirmed
		 */
		#[\NoDiscard]
		public function keepAlive(?float $ttl = null): bool;

		/**
		 * Frees the lock. false: not held, or no longer ours.
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
		 * @throws \RedisLock\NotAcquiredException another process has the lock
		 * @throws \RedisLock\LockLostException the lock was lost before $code returned
		 * @throws \RedisLock\Exception trouble with the server, before $code runs
		 */
		public function synchronized(callable $code): mixed;

		/** Whether the lock is held and its validity is not over. It does not ask the server. */
		public function isHeld(): bool;

		/**
		 * Asks the server whether the lock is ours.
		 *
		 * @throws \RedisLock\Exception the server could not be asked
		 */
		public function isAcquired(): bool;

		/** Seconds of validity left. 0.0: none. INF: a lock without expiry. */
		public function remaining(): float;

		/** The configured name, without prefix. */
		public function getName(): string;

		/** The fencing number of this acquisition, else null. */
		public function getFence(): ?int;
	}

	/**
	 * A lock with methods for operators, who ask for its holder and may end it, and for code that hands it on to another process. RedisLock is one. Later versions may add methods here, and never to Lock.
	 */
	interface ManagedLock extends Lock
	{
		/**
		 * Deletes the lock, whoever holds it. false: nobody held it. With a token it ends that hold alone.
		 *
		 * @throws \RedisLock\Exception not confirmed
		 */
		public function forceRelease(#[\SensitiveParameter] ?string $token = null): bool;

		/**
		 * Says who holds the lock now. null: nobody.
		 *
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 * @throws \RedisLock\Exception the server could not be asked
		 */
		public function holder(): ?array;

		/**
		 * Lists the holders of the lock: several only if it has permits, or is shared.
		 *
		 * @phpstan-return list<array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}>
		 * @throws \RedisLock\Exception the server could not be asked
		 */
		public function holders(): array;

		/**
		 * Makes a holder that shares the lock hold it alone. false: others share it.
		 *
		 * @throws \LogicException the lock has permits
		 * @throws \RedisLock\Exception trouble with the server: it is held, alone or shared
		 */
		public function upgrade(): bool;

		/**
		 * Makes the only holder share the lock. false: not held, or no longer ours.
		 *
		 * @throws \LogicException the lock cannot be shared
		 * @throws \RedisLock\Exception not confirmed
		 */
		public function downgrade(): bool;

		/**
		 * Gives the lock away, and returns the token with which another process can take it over.
		 *
		 * @throws \LogicException the lock is not held
		 * @throws \RedisLock\LockLostException the lock is no longer ours
		 * @throws \RedisLock\Exception its ttl could not be confirmed
		 */
		public function detach(): string;

		/** The token while the lock is held or restored, else null. */
		public function getToken(): ?string;
	}

	/**
	 * Locks on several independent servers: a process holds a lock if it has the key on more than half of them (the Redlock
	 * algorithm). All servers are asked at the same time, and a call returns as soon as most of them agree. A server that is
	 * dead, hung or slow is given up after its time limit, and costs later calls nothing. RedisLock and SequenceTask do the same
	 * with the option `servers`. docs/guide/servers.md says when a quorum is safe, and when one server is better.
	 *
	 * Its other name is RedLock, without namespace, unless `redislock.redlock_class` is 0 in php.ini.
	 *
	 * @phpstan-import-type Options from \RedisLock
	 *
	 * @strict-properties
	 * @not-serializable
	 */
	class RedLock
	{
		/**
		 * Creates the object. It does not connect yet.
		 *
		 * @param array $servers 1 to 32 servers, all different. Each is a [host, port, timeout], a "host:port", a URI, or an array
		 *     of connection options. What an entry leaves out is taken from $options. Time limits that are given nowhere are 0.05 s
		 * @param int $retryDelay ms between two tries: a random time from half of it to all of it
		 * @param int $retryCount number of tries; 0 counts as 1. There is no further try if a majority refuses for good, for
		 *     example because of a wrong password
		 * @param array $options connection options of all servers, and lock options except `name`, `ttl`, `wait`, `retry_ms`,
		 *     `reentrant`, `fence` and `min_replicas`. With `renew => true` the locks are process-bound
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
		 * Acquires the lock, with a fresh token for each try.
		 *
		 * @param int $ttl ms, at least 10, with `renew` at most 3600000
		 * @return array{validity: float, resource: string, token: string}|false false: another process has the lock. validity: for
		 *     how many ms you may rely on the lock from now. That is the ttl minus the time of this call, 1 % and 2 ms
		 * @throws \LogicException with `renew`: the object is not kept in a variable, so the lock would be free again at once
		 * @throws \ValueError $resource is not a valid name, or $ttl is out of range
		 * @throws \RedisLock\ConnectionException fewer than a majority of the servers answered in the last try; getNodes() says what
		 *     each did. Nothing stays locked
		 * @throws \RedisLock\RenewalException with `renew`: the renewal child could not be started; nothing is locked
		 */
		public function lock(string $resource, int $ttl): array|false {}

		/**
		 * Sets the ttl to exactly $ttl from now, on the servers where the lock is still ours.
		 *
		 * @param array $lock the array that lock() or extend() returned, also in another process
		 * @param int|null $ttl ms, as for lock(); null: the one given last to this object
		 * @return array{validity: float, resource: string, token: string}|false as lock(). false: the lock is no longer ours on a
		 *     majority of the servers
		 * @throws \LogicException as lock()
		 * @throws \ValueError $lock is no such array; or $ttl is out of range; or $ttl is null and the lock is still there, but this
		 *     object has not acquired it, or has forgotten it because its validity was over
		 * @throws \RedisLock\ConnectionException too few servers answered
		 * @throws \RedisLock\RenewalException with `renew`, for a lock that this object has not acquired: the keys have the new ttl,
		 *     but the renewal child could not be started, so nothing renews them
		 */
		public function extend(#[\SensitiveParameter] array $lock, ?int $ttl = null): array|false {}

		/**
		 * Frees the lock on all servers that may have it, including those that answer later.
		 *
		 * @param array|false $lock the array that lock() or extend() returned. false is allowed, and returns false
		 * @return bool true: a majority confirmed the release. false: the lock was no longer ours
		 * @throws \ValueError $lock is no such array
		 * @throws \RedisLock\ConnectionException too few servers answered; keys that are left end with their ttl
		 */
		public function unlock(#[\SensitiveParameter] array|false $lock): bool {}
	}

	/**
	 * Tells the extension where requests begin and end, in a worker that serves one after the other in a loop of its own. FrankenPHP,
	 * and the packages for Laravel and Symfony, do not need it.
	 *
	 * @strict-properties
	 * @not-serializable
	 */
	final class Worker
	{
		private function __construct() {}

		/**
		 * Begins a request: process-bound locks acquired from here on belong to the request, and end with endRequest(). Those held
		 * already belong to the worker.
		 */
		public static function beginRequest(): void {}

		/**
		 * Ends the process-bound locks acquired since beginRequest(), also if a static variable or a container still has
		 * their objects. If a server does not answer, the renewal child releases the lock. Leases stay, and so does a lock under
		 * which execute() or synchronized() still runs, in a suspended fiber for example. Nothing is thrown.
		 *
		 * In a fiber, or a coroutine of Swoole, it ends only the locks that this one has acquired, because others may serve other
		 * requests.
		 *
		 * @return list<string> the names of the locks it has ended, without prefix. Empty: the request left none behind
		 */
		public static function endRequest(): array {}
	}

	/**
	 * Base class of all exceptions about a server or a lock.
	 */
	class Exception extends \RuntimeException
	{
		private ?string $node = null;
		private bool $retryable = false;

		/** The server: "tcp://host:port", "tls://host:port" or "unix:///path". null: the exception is about no server. */
		public function getNode(): ?string {}

		/** Whether the same call may succeed later without any change. */
		public function isRetryable(): bool {}
	}

	/** The server cannot be reached, does not answer in time, refuses the credentials, or answers with an error. */
	class ConnectionException extends Exception
	{
		private array $nodes = [];

		/**
		 * With several servers: what each of them answered. The keys are as from getNode(). The values are "yes", "no", "no answer
		 * yet", "not asked", or what went wrong. Empty with one server, and for wrong arguments.
		 *
		 * @return array<string, string>
		 */
		public function getNodes(): array {}
	}

	/** Another process holds the lock. */
	class NotAcquiredException extends Exception
	{
		private ?array $holder = null;
		private array $nodes = [];

		/**
		 * The holder, as from RedisLock::holder(), if a second request has found one. That request may take the rest of `wait`, and
		 * 50 ms.
		 *
		 * @phpstan-return array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool,
		 *     resting: bool}|null
		 */
		public function getHolder(): ?array {}

		/** Seconds until the holder's key expires unless it is renewed, if that second request has found a holder. */
		public function getRemaining(): ?float {}

		/**
		 * With several servers: what that second request has found on each. The keys are as from getNode(). The values say who holds
		 * the lock there, "free", or what went wrong. Empty with one server.
		 *
		 * @return array<string, string>
		 */
		public function getNodes(): array {}
	}

	/** The lock was ours, and is not ours any more. */
	class LockLostException extends Exception
	{
		private bool $finished = false;
		private mixed $result = null;

		/** Whether the callable had returned when the loss was reported. */
		public function hasResult(): bool {}

		/** What the callable returned. null if it had not returned. */
		public function getResult(): mixed {}
	}

	/** The renewal child could not be started. */
	class RenewalException extends Exception
	{
	}

	/**
	 * What happened to the locks of this process since it began.
	 *
	 * A forked copy counts from zero. A lock on several servers, of a Sentinel service or in a Cluster counts once, under a name of
	 * its own. At most 32 servers are told apart.
	 *
	 * `acquired` and `refused` count calls that acquire, reentrant entries aside; `waited` those that did not end with the first
	 * try, by the upper ends of their times in seconds; `lost` locks that turned out not to be ours any more; `released` confirmed
	 * releases, `released_late` those of them whose validity was over; `renewed` and `renewal_failures` what the renewal child did, for
	 * each server; `reconnects` connections that an object opened after its first; `stale` those that the server was found to have
	 * closed. The connections of a quorum are not counted. `implementation` is 'extension', or 'polyfill' where redislock/lock takes its place.
	 *
	 * @return array<string, mixed>
	 * @phpstan-return array{implementation: 'extension'|'polyfill', acquired: int, refused: int, waited: array{count: int, seconds: float, histogram: array<array-key, int>},
	 *     lost: int, released: int, released_late: int, renewed: int, renewal_failures: int, reconnects: int, stale: int,
	 *     servers: array<string, array{acquired: int, refused: int, waited: array{count: int, seconds: float,
	 *     histogram: array<array-key, int>}, lost: int, released: int, released_late: int, renewed: int, renewal_failures: int,
	 *     reconnects: int, stale: int}>}
	 */
	function stats(): array {}

	/**
	 * Has a function called for each event of this request's locks, in place of the one before.
	 *
	 * The event is 'acquired', 'refused', 'waited', 'lost' or 'released'. The details are `name`; `kind`, 'lease' or 'process-bound';
	 * `wait` and `hold`, seconds or null; and `server`, as in stats(). They never hold the token. The function is called when the method
	 * that caused the event is about to return, for a loss and for destructors soon after, and at the end of the request for what
	 * ends with it. An exception that it throws becomes a warning. Locks that it uses itself cause no events. If another lock is lost
	 * while it runs, all are told of that when it has returned. It is forgotten at the end of the request.
	 *
	 * @param callable|null $observer null: no function any more
	 * @phpstan-param (callable(string, array{name: string, kind: string, wait: ?float, hold: ?float, server: string}): void)|null $observer
	 */
	function observe(?callable $observer): void {}
}
