<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * The options of a lock without a server: read, checked and completed as the extension does. Times are ms.
 *
 * @internal
 * @phpstan-type Values array{name: string, prefix?: string, token?: string, label?: string, renew?: bool, reentrant?: bool,
 *     fence?: bool, shared?: bool, permits?: int, weight?: int, ttl?: int, wait?: int, interval?: int, max_hold?: int, hold_at_least?: int, linger?: int, on_lost?: string, ...}
 */
final class LockOptions
{
	/** As a time: never; as a duration: without end. */
	public const NEVER = PHP_INT_MAX;
	/** Seconds, 10 years: the longest ttl and wait. */
	private const LONGEST = 315_360_000;
	private const ALIASES = ['expiredTime' => 'ttl', 'waitTime' => 'wait', 'frequency' => 'retry_ms'];
	/** Seconds, and whether they may be 0. */
	private const SECONDS = ['ttl' => true, 'wait' => true, 'interval' => false, 'max_hold' => false, 'hold_at_least' => true,
		'linger' => true, 'replica_timeout' => false];
	private const BOOLS = ['renew', 'reentrant', 'fence', 'shared'];
	/** How many may hold the lock at once, and how many of them one is. */
	private const COUNTS = ['permits', 'weight'];
	private const MOST_PERMITS = 4096;
	private const STRINGS = ['name', 'prefix', 'token', 'label'];
	/** What concerns the server, which is not there, and time limits of polling. */
	private const WITHOUT_EFFECT = 'retry_ms min_replicas host hostname port scheme path unixSocket unix_socket database db dbindex
		username user password pass auth client_name timeout connectionTimeout connect_timeout connectTimeout
		read_write_timeout read_timeout readTimeout dataTimeout retries max_retries retry_interval retryInterval backoff_base
		backoff_cap persistent useSSL ssl context contextOptions url servers sentinels service redis_sentinel sentinel_master
		sentinel_service sentinel sentinel_username sentinel_password replication cluster redis_cluster options default';

	public readonly string $name;
	public readonly string $key;
	public readonly ?string $token;
	public readonly ?string $label;
	public readonly int $ttl;
	public readonly int $wait;
	public readonly ?bool $renew;
	public readonly int $interval;
	public readonly int $maxHold;
	public readonly int $holdAtLeast;
	public readonly int $linger;
	public readonly bool $reentrant;
	public readonly bool $fence;
	public readonly bool $throwsWhenLost;
	public readonly int $permits;
	public readonly int $weight;
	public readonly bool $shared;

	/** @param array<string, mixed> $given the name among them */
	public function __construct(private readonly array $given, bool $bound = false)
	{
		$values = self::read($given);
		[$this->name, $this->token, $this->label] = [$values['name'], $values['token'] ?? null, $values['label'] ?? null];
		$this->key = ($values['prefix'] ?? '') . $this->name;
		$this->renew = $bound ?: $values['renew'] ?? null;
		$this->wait = $values['wait'] ?? 0;
		$this->maxHold = $values['max_hold'] ?? self::NEVER;
		$this->holdAtLeast = $values['hold_at_least'] ?? 0;
		$this->linger = $values['linger'] ?? 0;
		$this->reentrant = $values['reentrant'] ?? false;
		$this->fence = $values['fence'] ?? false;
		$this->throwsWhenLost = ($values['on_lost'] ?? 'throw') === 'throw';
		$this->ttl = $values['ttl'] ?? ($this->renew ? 30_000 : 60_000);
		$this->permits = $values['permits'] ?? 1;
		// Without permits, it is that of a server, as Predis has it.
		$this->weight = $this->permits > 1 ? $values['weight'] ?? 1 : 1;
		$this->shared = $values['shared'] ?? false;
		$this->checkTtl($values);
		$this->checkHolders($values);
		$this->interval = max(1, min($values['interval'] ?? intdiv($this->ttl, 3), intdiv($this->ttl, 2)));
	}

	/** The same for a process-bound lock. */
	public function bound(): self
	{
		if ($this->renew === false) {
			throw new \ValueError('Option "renew" must not be false here, where the lock is bound to the process.');
		}

		return new self($this->given, true);
	}

	/** May others hold the lock at the same time? */
	public function isSet(): bool
	{
		return $this->shared || $this->permits > 1;
	}

	/** @return list<string> all options there are */
	public static function names(): array
	{
		return [...self::STRINGS, ...array_keys(self::SECONDS), ...self::BOOLS, ...self::COUNTS, 'on_lost', ...array_keys(self::ALIASES),
			...(preg_split('/\s+/', self::WITHOUT_EFFECT) ?: [])];
	}

	/** The argument of acquire(), checked. A bool is refused: true would be a second. */
	public static function waitArgument(float|bool|null $wait, string $method): ?float
	{
		if (is_bool($wait)) {
			throw new \TypeError("$method(): Argument #1 (\$wait) must be of type ?float, bool given; INF waits without limit");
		}
		if ($wait !== null) {
			self::ms($wait, true, true, "$method(): Argument #1 (\$wait)");
		}

		return $wait;
	}

	/** Seconds as ms; what is no such time is a ValueError about $what. */
	public static function ms(float $seconds, bool $zero, bool $infinite, string $what): int
	{
		if ($infinite && $seconds === INF) {
			return self::NEVER;
		}
		if (!($seconds >= 0.001 && $seconds <= self::LONGEST || $zero && $seconds === 0.0)) {
			throw new \ValueError("$what must be " . ($zero ? '0, or ' : '') . 'a number of seconds of at least 0.001 and at most ' .
				self::LONGEST . ($infinite ? ', or INF' : '') . ', ' . (is_nan($seconds) ? 'NAN' : $seconds) . ' given.');
		}

		return (int) round($seconds * 1000);
	}

	/**
	 * @param array<string, mixed> $given
	 * @return Values by our names, times in ms
	 */
	private static function read(array $given): array
	{
		$values = [];
		foreach ($given as $option => $value) {
			$key = self::ALIASES[$option] ?? $option;
			if (!in_array($option, self::names(), true)) {
				throw new \ValueError("Unknown option \"$option\".");
			}
			if ($value === null) {
				continue;
			}
			$value = match (true) {
				isset(self::SECONDS[$key]) => self::seconds($option, $key, $value),
				in_array($key, self::BOOLS, true) => self::bool($option, $value),
				in_array($key, self::COUNTS, true) => self::count($option, $value),
				in_array($key, self::STRINGS, true) => self::string($option, $value),
				$key === 'on_lost' => in_array($value, ['throw', 'flag'], true) ? $value
					: throw new \ValueError('Option "on_lost" must be "throw" or "flag".'),
				default => $value,
			};
			if (array_key_exists($key, $values) && $values[$key] !== $value) {
				throw new \ValueError("Options \"$key\" and \"$option\" contradict each other.");
			}
			$values[$key] = $value;
		}

		/** @var Values $values */
		return $values;
	}

	private static function seconds(string $option, string $key, mixed $value): int
	{
		if (!is_int($value) && !is_float($value) && !(is_string($value) && is_numeric($value)) && $value !== 'INF') {
			throw self::wrongType($option, 'a number of seconds', $value);
		}

		return self::ms($value === 'INF' ? INF : (float) $value, self::SECONDS[$key], $key === 'wait', "Option \"$option\"");
	}

	private static function bool(string $option, mixed $value): bool
	{
		if (!is_scalar($value) || is_float($value)) {
			throw self::wrongType($option, 'true or false', $value);
		}

		return filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE)
			?? throw new \ValueError("Option \"$option\" must be true or false.");
	}

	private static function count(string $option, mixed $value): int
	{
		if (!is_int($value) && !is_float($value) && !(is_string($value) && is_numeric($value))) {
			throw self::wrongType($option, 'an integer', $value);
		}
		$count = filter_var($value, FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => self::MOST_PERMITS]]);

		return is_int($count) ? $count : throw new \ValueError("Option \"$option\" must be an integer from 1 to " . self::MOST_PERMITS . '.');
	}

	/** A string as the option takes it, whatever it is that it comes from. */
	public static function string(string $option, mixed $value): string
	{
		if (!is_string($value) && !is_int($value)) {
			throw self::wrongType($option, 'a string', $value);
		}
		[$least, $most] = ['name' => [1, 65_535], 'prefix' => [0, 65_535], 'token' => [1, 1024], 'label' => [0, 64]][$option];
		if (strlen((string) $value) < $least || strlen((string) $value) > $most) {
			throw new \ValueError("Option \"$option\" must have $least to $most bytes.");
		}
		if ($option === 'token' && preg_match('/^__write__$|#[0-9]+$/D', (string) $value) === 1) {
			throw new \ValueError('Option "token" must not be "__write__", and must not end in "#" and a number: sets of holders have such members beside tokens.');
		}
		if ($option === 'name' && preg_match('/:rlk:(signal|waiters|fence|turn)$/D', (string) $value) === 1) {
			throw new \ValueError('Option "name" must not end in ":rlk:signal", ":rlk:waiters", ":rlk:fence" or ":rlk:turn".');
		}
		if ($option === 'token' && preg_match('/^__write__$|#\d+$/D', (string) $value) === 1) {
			throw new \ValueError('Option "token" must not be "__write__", nor end in "#" and a number: those are marks in the sorted set of a lock with several holders.');
		}

		return (string) $value;
	}

	private static function wrongType(string $option, string $allowed, mixed $value): \TypeError
	{
		return new \TypeError("Option \"$option\" must be $allowed, " . get_debug_type($value) . ' given.');
	}

	/** @param Values $values */
	private function checkTtl(array $values): void
	{
		if ($this->renew && ($this->ttl < 2 || $this->ttl > 3_600_000)) {
			throw new \ValueError('Option "ttl" must be from 0.002 to 3600 seconds with "renew".');
		}
		if ($this->ttl === 0 && ($this->holdAtLeast > 0 || $this->fence)) {
			throw new \ValueError('Option "ttl" must not be 0 with "' . ($this->fence ? 'fence' : 'hold_at_least') . '".');
		}
		if ($this->renew && ($values['interval'] ?? 0) >= $this->ttl) {
			throw new \ValueError('Option "interval" must be less than the ttl.');
		}
	}

	/** @param Values $values */
	private function checkHolders(array $values): void
	{
		if (isset($values['permits']) && ($values['weight'] ?? 1) > $values['permits']) {
			throw new \ValueError('Option "weight" must not be above "permits".');
		}
		if ($this->shared && isset($values['permits'])) {
			throw new \ValueError('Options "permits" and "shared" cannot be used together.');
		}
		$kind = $this->shared ? 'shared' : 'permits';
		foreach (['servers' => isset($values['servers']), 'fence' => $this->fence, 'ttl' => $this->ttl === 0] as $option => $refused) {
			if ($refused && $this->isSet()) {
				throw new \ValueError("Option \"$kind\" cannot be used with " . ($option === 'ttl' ? 'a ttl of 0.' : "\"$option\"."));
			}
		}
		if ($this->reentrant && $this->weight > 1) {
			throw new \ValueError('Option "weight" must be 1 with "reentrant".');
		}
	}
}
