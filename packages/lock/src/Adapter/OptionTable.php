<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal All options there are, as src/config/rlk_option.c of the extension has them: spellings, allowed values, and what wrong ones
 * are told. A new option is a row there and one here.
 */
final class OptionTable
{
	/** As a time: never; as a duration: without end. */
	public const NEVER = PHP_INT_MAX;
	public const AUTH = 'a password, or a list of user and password';
	/** Seconds, 10 years: a ttl, and a wait with an end. */
	public const LONGEST = 315_360_000;
	/** Seconds: limits of connections, and the ttl of a process-bound lock. */
	public const HOUR = 3600;

	/** By our names: kind, then what is allowed, from and to; and after it the spellings of others. */
	private const ROWS = [
		'name' => ['bytes', 1, 65_535],
		'prefix' => ['bytes', 0, 65_535],
		'token' => ['bytes', 1, 1024],
		'label' => ['string', 0, 64],
		'ttl' => ['seconds', 0, 0, 'expiredTime'],
		'wait' => ['seconds', 0, INF, 'waitTime'],
		'retry_ms' => ['ms', 1, self::LONGEST * 1000, 'frequency'],
		'interval' => ['seconds', 1, 0],
		'max_hold' => ['seconds', 1, 0],
		'hold_at_least' => ['seconds', 0, 0],
		'linger' => ['seconds', 0, 0],
		'renew' => ['bool', 0, 1],
		'reentrant' => ['bool', 0, 1],
		'fence' => ['bool', 0, 1],
		'on_lost' => ['on_lost', 0, 0],
		'min_replicas' => ['int', 0, 100],
		'replica_timeout' => ['seconds', 1, 0],
		'permits' => ['int', 1, 4096],
		'weight' => ['int', 1, 4096],
		'shared' => ['bool', 0, 1],

		'host' => ['string', 0, PHP_INT_MAX, 'hostname'],
		'port' => ['int', -1, 65_535],
		'scheme' => ['scheme', 0, 0],
		'path' => ['path', 0, 0, 'unixSocket', 'unix_socket'],
		'database' => ['int', 0, 2_147_483_647, 'db', 'dbindex'],
		'username' => ['string', 0, 65_535, 'user'],
		'password' => ['string', 0, 65_535, 'pass'],
		'auth' => ['auth', 0, 65_535],
		'client_name' => ['string', 0, 255],
		'timeout' => ['timeout', 0, 0, 'connectionTimeout', 'connect_timeout', 'connectTimeout'],
		'read_write_timeout' => ['timeout', 0, 0, 'read_timeout', 'readTimeout', 'dataTimeout'],
		'retries' => ['int', 0, 100, 'max_retries'],
		'retry_interval' => ['ms', 0, self::HOUR * 1000],
		'retryInterval' => ['us', 0, self::HOUR * 1000],
		'persistent' => ['id', 0, 0],
		'useSSL' => ['bool', 0, 1],
		'ssl' => ['tls', 0, 0],
		'url' => ['string', 1, PHP_INT_MAX],
		'servers' => ['list', 1, 32],
		'sentinels' => ['list', 1, 64],
		'service' => ['string', 0, 255],
		'sentinel_username' => ['string', 0, 65_535],
		'sentinel_password' => ['string', 0, 65_535],
		'cluster' => ['list', 1, 64],
	];

	/** What clients have beside these and cannot change what a lock means. */
	private const IGNORED = ['persistent_id', 'conn_uid', 'alias', 'role', 'protocol', 'async_connect', 'tcp_nodelay', 'tcp_keepalive',
		'client_info', 'cache', 'lazy', 'driver', 'client', 'scan', 'serializer', 'compression', 'compression_level',
		'pack_ignore_numbers', 'command_retries', 'backoff', 'backoff_algorithm', 'backoff_base', 'backoff_cap', 'failover', 'class',
		'command_timeout', 'redirectConnectionString', 'redisCommands', 'socketClientFlags'];

	/** Flat spellings of others that Options::from() reads, and the extension refuses. */
	private const FOREIGN = ['redis_sentinel' => 'service', 'sentinel_master' => 'service', 'sentinel_service' => 'service',
		'sentinel' => 'service', 'redis_cluster' => 'cluster', 'sentinel_timeout' => '', 'sentinel_read_timeout' => '',
		'sentinel_retry_interval' => '', 'sentinel_persistent' => '', 'cluster_command_timeout' => '', 'cluster_relay_context' => ''];

	/** @var array<string, string>|null our name, by every spelling; "": without effect */
	private static ?array $names = null;

	/** @return array<string, string> our name, by every spelling; "": without effect */
	public static function names(): array
	{
		if (self::$names === null) {
			self::$names = array_fill_keys(self::IGNORED, '');
			foreach (self::ROWS as $name => $row) {
				self::$names += array_fill_keys([$name, ...array_slice($row, 3)], $name);
			}
		}

		return self::$names;
	}

	/** Our name of an option of any library; "": it cannot change what a lock means; null: there is none of this spelling. */
	public static function own(string $key): ?string
	{
		return self::FOREIGN[$key] ?? self::names()[$key] ?? null;
	}

	/** One layer of options: checked, by our names, times in ms. Two spellings of an option must not differ. */
	public static function read(#[\SensitiveParameter] array $given): array
	{
		$values = $spelt = [];
		foreach ($given as $key => $value) {
			$name = self::names()[$key] ?? throw self::unknown((string) $key);
			if ($value === null || $name === '') {
				continue;
			}
			$value = self::check((string) $key, $value);
			$name = $name === 'retryInterval' ? 'retry_interval' : $name;
			if (array_key_exists($name, $values) && $values[$name] !== $value) {
				throw new \ValueError("options \"$spelt[$name]\" and \"$key\" contradict each other");
			}
			[$values[$name], $spelt[$name]] = [$value, $key];
		}

		return $values;
	}

	/**
	 * @param string $key one of names(), in any spelling
	 * @param mixed $value not null
	 * @return mixed the value as it is kept
	 */
	public static function check(string $key, #[\SensitiveParameter] mixed $value): mixed
	{
		$name = self::names()[$key];
		[$kind, $least, $most] = self::ROWS[$name];

		return match ($kind) {
			'bytes', 'string', 'scheme', 'path', 'on_lost' => self::text($key, $name, $value),
			'bool' => self::bool($key, $value),
			'id' => is_array($value) ? throw self::wrongType($key, 'true, false or a name', $value) : !self::isOff($value),
			'int' => $value === '' && $name === 'database' ? null : self::int($key, $name, $value, (int) $least, (int) $most),
			'seconds' => self::seconds($key, $value, $least === 0, $most === INF),
			'timeout' => self::timeout($key, $value),
			'ms', 'us' => self::ms($key, $value, $kind === 'us' ? 1000 : 1, (int) $least, (int) $most),
			'auth' => self::auth($key, $value),
			'tls' => is_array($value) ? $value : self::bool($key, $value),
			default => self::list($key, $name, $value, (int) $most),
		};
	}

	/** @return array options for a single call: of the lock, but not of its key */
	public static function ofCall(#[\SensitiveParameter] array $given): array
	{
		$ofKey = array_slice(array_keys(self::ROWS), 0, 2);
		$ofServer = array_slice(array_keys(self::ROWS), (int) array_search('host', array_keys(self::ROWS), true));
		foreach ($given as $key => $_) {
			if (in_array(self::names()[$key] ?? throw self::unknown((string) $key), [...$ofKey, ...$ofServer], true)) {
				throw new \ValueError("option \"$key\" cannot be given for a single call");
			}
		}

		return $given;
	}

	/** Seconds as ms; what is no such time is a ValueError about $what. */
	public static function toMs(float $seconds, bool $zero, bool $infinite, string $what): int
	{
		if ($infinite && $seconds === INF) {
			return self::NEVER;
		}
		if ($seconds >= 0.001 && $seconds <= self::LONGEST || $zero && $seconds === 0.0) {
			return (int) floor($seconds * 1000 + 0.5);
		}
		throw new \ValueError("$what must be " . self::secondsAllowed($zero, $infinite) . ', ' . self::show($seconds) . ' given');
	}

	public static function toSeconds(int $ms): float
	{
		return $ms === self::NEVER ? INF : $ms / 1000;
	}

	/** A token as the option takes it, whatever it is that it comes from. */
	public static function token(#[\SensitiveParameter] string $token): string
	{
		return self::text('token', 'token', $token);
	}

	/** The argument of acquire(), checked. A bool is refused: true would be a second. */
	public static function waitArgument(float|bool|null $wait, string $method): ?float
	{
		if (is_bool($wait)) {
			throw new \TypeError("$method(): Argument #1 (\$wait) must be of type ?float, bool given; INF waits without limit");
		}
		if ($wait !== null) {
			self::toMs($wait, true, true, "$method(): Argument #1 (\$wait)");
		}

		return $wait;
	}

	/** Is it null, false, 0, "", "off", or an array of nulls? */
	public static function isOff(mixed $value): bool
	{
		return is_array($value) ? array_filter($value, static fn (mixed $part): bool => $part !== null && !(is_array($part) && self::isOff($part))) === []
			: $value === null || self::truth($value) === false || $value === 0.0;
	}

	/** An option that there is not, with the nearest one that there is. */
	public static function unknown(string $key): \ValueError
	{
		$best = strlen($key) < 6 ? 1 : intdiv(strlen($key), 3);
		$meant = null;
		foreach (array_keys(array_filter(self::names())) as $known) {
			$distance = strlen($key) > 1 && strlen($key) <= 32 ? levenshtein(strtolower($key), strtolower($known)) : PHP_INT_MAX;
			if ($distance < $best || $distance === $best && $meant === null) {
				[$best, $meant] = [$distance, $known];
			}
		}

		return new \ValueError('unknown option "' . addcslashes($key, "\0..\37\"\\\177..\377") . '"' . ($meant === null ? '' : ", did you mean \"$meant\"?"));
	}

	private static function text(string $key, string $name, #[\SensitiveParameter] mixed $value): string
	{
		[$kind, $least, $most] = self::ROWS[$name];
		$text = is_string($value) || is_int($value) && ($kind === 'bytes' || $kind === 'string' && $name !== 'host' && $name !== 'url')
			? (string) $value : throw self::wrongType($key, 'a string', $value);
		$is = "option \"$key\" must";
		$wrong = match (true) {
			$kind === 'scheme' => in_array(strtolower($text), [...Uri::CLEAR, 'unix', ...Uri::TLS], true) ? null
				: 'be one of tcp, redis, valkey, unix, tls, rediss, valkeys',
			$kind === 'on_lost' => preg_match('/^(flag|throw(#\d{1,9})?)$/D', $text) === 1 ? null : 'be "throw" or "flag"',
			in_array($name, ['host', 'path', 'url'], true) && trim($text, "\0..\x20") === '' =>
				'name a server, and names none; the default server is never used instead',
			$kind === 'path' && $text[0] !== '/' => 'be the absolute path of a socket',
			strlen($text) < $least => 'not be empty',
			$kind !== 'path' && strlen($text) > $most => "be at most $most bytes long",
			$kind !== 'bytes' && str_contains($text, "\0") => 'not contain NUL bytes',
			$name === 'name' && preg_match('/:rlk:(signal|waiters|fence|turn)$/D', $text, $suffix) === 1 =>
				"not end in \"$suffix[0]\", which is reserved for helper keys",
			$name === 'token' && preg_match('/^__write__$|#\d+$/D', $text) === 1 => 'not be "__write__", and must not end in "#" and a ' .
				'number: sets of holders have such members beside tokens',
			$name === 'label' && preg_match('/[\x00-\x1f\x7f]/', $text) === 1 => 'not contain control characters',
			$name === 'client_name' && preg_match('/[^!-~]/', $text) === 1 => 'be printable ASCII without blanks',
			default => null,
		};

		return $wrong === null ? $text : throw new \ValueError("$is $wrong");
	}

	private static function bool(string $key, mixed $value): bool
	{
		return self::truth($value) ?? throw (is_int($value) || is_string($value) ? new \ValueError("option \"$key\" must be true or false")
			: self::wrongType($key, 'true or false', $value));
	}

	private static function truth(mixed $value): ?bool
	{
		return match (true) {
			is_bool($value) => $value,
			$value === 0, $value === 1 => $value === 1,
			is_string($value) && $value === trim($value) => filter_var($value, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE),
			default => null,
		};
	}

	private static function int(string $key, string $name, mixed $value, int $least, int $most): int
	{
		$allowed = 'a whole number from ' . ($name === 'port' ? 1 : $least) . " to $most";
		$number = self::number($key, $value, $allowed);

		return floor($number) === $number && $number >= $least && $number <= $most ? (int) $number
			: throw new \ValueError("option \"$key\" must be $allowed, " . self::show($number) . ' given');
	}

	private static function seconds(string $key, mixed $value, bool $zero, bool $infinite): int
	{
		return $infinite && $value === 'INF' ? self::NEVER
			: self::toMs(self::number($key, $value, self::secondsAllowed($zero, $infinite)), $zero, $infinite, "option \"$key\"");
	}

	private static function timeout(string $key, mixed $value): int
	{
		$allowed = 'a number of seconds of at least 0.001 and at most ' . self::HOUR . ', or 0 for the default';
		$seconds = self::number($key, $value, $allowed);

		return in_array($seconds, [0.0, -1.0], true) ? 0 : ($seconds >= 0.001 && $seconds <= self::HOUR ? (int) floor($seconds * 1000 + 0.5)
			: throw new \ValueError("option \"$key\" must be $allowed, " . self::show($seconds) . ' given'));
	}

	private static function ms(string $key, mixed $value, int $perMs, int $least, int $most): int
	{
		$allowed = 'a number of ' . ($perMs === 1 ? 'milli' : 'micro') . 'seconds of at least ' . $least * $perMs . ' and at most ' . $most * $perMs;
		$number = self::number($key, $value, $allowed);

		return $number >= $least * $perMs && $number <= $most * $perMs ? (int) ceil($number / $perMs)
			: throw new \ValueError("option \"$key\" must be $allowed, " . self::show($number) . ' given');
	}

	/** @return array{?string, string} user and password */
	private static function auth(string $key, #[\SensitiveParameter] mixed $value): array
	{
		$parts = is_array($value) ? $value : [$value];
		if (!array_is_list($parts) || count($parts) > 2) {
			throw new \ValueError("option \"$key\" must be " . self::AUTH);
		}
		foreach ($parts as $part) {
			if ($part !== null && !is_string($part) && !is_int($part)) {
				throw self::wrongType($key, self::AUTH, $part);
			}
			$wrong = strlen((string) $part) > 65_535 ? 'be at most 65535 bytes long' : (str_contains((string) $part, "\0") ? 'not contain NUL bytes' : null);
			if ($wrong !== null) {
				throw new \ValueError("option \"$key\" must $wrong");
			}
		}

		return [isset($parts[1]) ? (string) $parts[0] : null, (string) (end($parts) ?: '')];
	}

	private static function list(string $key, string $name, #[\SensitiveParameter] mixed $value, int $most): mixed
	{
		$alsoBool = $name === 'cluster' ? ', or true or false' : '';
		$empty = $value === [] ? 'array' : ($value === '' ? 'string' : null);
		if ($empty !== null || is_array($value) && (!array_is_list($value) || count($value) > $most)) {
			throw new \ValueError("option \"$key\" must be a list of 1 to $most servers$alsoBool" . ($empty === null ? '' : ", empty $empty given"));
		}
		if ($name !== 'servers' && !is_array($value) && self::isOff($value)) {
			return null;
		}

		return is_array($value) || $name === 'cluster' && self::truth($value) === true ? $value
			: throw self::wrongType($key, "a list of servers$alsoBool", $value);
	}

	private static function number(string $key, mixed $value, string $allowed): float
	{
		return is_int($value) || is_float($value) ||
			is_string($value) && strlen($value) <= 64 && preg_match('/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/Di', $value) === 1 ? (float) $value
			: throw self::wrongType($key, $allowed, $value);
	}

	private static function secondsAllowed(bool $zero, bool $infinite): string
	{
		return ($zero ? '0, or ' : '') . 'a number of seconds of at least 0.001 and at most ' . self::LONGEST . ($infinite ? ', or INF' : '');
	}

	private static function show(float $number): string
	{
		return is_finite($number) ? str_replace('.0e', 'e', sprintf('%.15h', $number)) : (is_nan($number) ? 'NAN' : ($number > 0 ? 'INF' : '-INF'));
	}

	private static function wrongType(string $key, string $allowed, #[\SensitiveParameter] mixed $value): \TypeError
	{
		return new \TypeError("option \"$key\" must be $allowed, " . get_debug_type($value) . ' given');
	}
}
