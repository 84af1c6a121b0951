<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use RedisLock\Adapter\Extension;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\Uri;

/** @internal The server of an object, and its connection. Persistent ones are for all objects of the process. */
final class Server
{
	public const NEVER = OptionTable::NEVER;
	/** ms: what a request may take beyond the end of a wait. */
	public const MOMENT = 15;
	private const ONLY_EXTENSION = ['servers', 'sentinels', 'service', 'cluster', 'min_replicas'];
	/** ms: how long an answer may take to a request that nobody waits for. */
	private const KEPT = 60_000;
	private const TLS_FLAGS = ['verify_peer', 'verify_peer_name', 'allow_self_signed', 'SNI_enabled', 'disable_compression'];
	private const TLS = [...self::TLS_FLAGS, 'peer_name', 'cafile', 'capath', 'local_cert', 'local_pk', 'passphrase'];
	/** @var array<string, array<int, Connection>> those that nobody uses, by their servers */
	private static array $idle = [];
	/** Will finish() run at the end? */
	private static bool $finishes = false;
	/** "tcp://host:port", "tls://host:port" or "unix:///path" */
	public readonly string $uri;
	public readonly int $answersIn;
	public readonly int $retries;
	/** Does the server know us by a name, whose rights may be few? */
	public readonly bool $hasUser;
	/** The same for objects of the same server. */
	public readonly string $key;
	private ?Connection $connection = null;
	private bool $hasConnected = false;
	private readonly int $connectsIn;
	private readonly int $retryPause;
	private readonly bool $isPersistent;
	/** Parameters of Predis, and what is sent first. Not a plain array: dumps must not show the password. */
	private readonly \SensitiveParameterValue $parameters;

	/** @param array<mixed> $given as Options::from() makes them */
	public function __construct(#[\SensitiveParameter] array $given)
	{
		$options = OptionTable::read($given);
		foreach (self::ONLY_EXTENSION as $name) {
			OptionTable::isOff($options[$name] ?? null) || throw Extension::lacks("option \"$name\"");
		}
		/** @var array{host?: string, port?: int, path?: string, scheme?: string, database?: int, username?: string, password?: string, sentinel_username?: string, sentinel_password?: string,
		 *     client_name?: string, ssl?: mixed, timeout?: int, read_write_timeout?: int, retries?: int, retry_interval?: int, persistent?: bool} $options */
		[$this->connectsIn, $this->answersIn] = [($options['timeout'] ?? 0) ?: 2000, ($options['read_write_timeout'] ?? 0) ?: 2000];
		[$this->retries, $this->retryPause] = [$options['retries'] ?? 0, $options['retry_interval'] ?? 0];
		$this->isPersistent = $options['persistent'] ?? !in_array(PHP_SAPI, ['cli', 'phpdbg'], true);
		$scheme = strtolower($options['scheme'] ?? (isset($options['path']) ? 'unix' : (isset($options['ssl']) ? 'tls' : 'tcp')));
		$scheme = in_array($scheme, Uri::TLS, true) ? 'tls' : ($scheme === 'unix' ? 'unix' : 'tcp');
		[$host, $port, $path, $user, $password] = [trim($options['host'] ?? '127.0.0.1', '[]'), $options['port'] ?? 6379, $options['path'] ?? '', $options['username'] ?? '', $options['password'] ?? ''];
		$problem = match (true) {
			($options['sentinel_username'] ?? '') . ($options['sentinel_password'] ?? '') !== '' => 'option "sentinel_password" must not be given without sentinels',
			$path !== '' && $scheme !== 'unix' => 'options "scheme" and "path" name two different servers; leave one out',
			$scheme === 'unix' && isset($options['ssl']) => 'options of TLS are given for a unix socket, on which there is no TLS',
			$scheme === 'tcp' && isset($options['ssl']) => Uri::CLEAR_TEXT,
			$scheme === 'unix' && $path === '' => 'option "path" must be given with the scheme unix',
			$scheme !== 'unix' && $port < 1 => "option \"port\" must be a whole number from 1 to 65535, $port given",
			preg_match('/^([\w.-]+|[0-9a-f.]*(:[0-9a-f.]*){2,}(%\w+)?)$/Di', $host) !== 1 =>
				'option "host" must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, user or password',
			$user !== '' && $password === '' => 'option "username" must not be given without a password',
			default => null,
		};
		$problem === null || throw new \ValueError($problem);
		$this->uri = $scheme === 'unix' ? "unix://$path" : "$scheme://" . (str_contains($host, ':') ? "[$host]" : $host) . ":$port";
		$greeting = array_values(array_filter([$password === '' ? [] : ['AUTH', ...($user === '' ? [] : [$user]), $password],
			($options['database'] ?? 0) > 0 ? ['SELECT', (string) $options['database']] : [], isset($options['client_name']) ? ['CLIENT', 'SETNAME', $options['client_name']] : []]));
		$parameters = ['scheme' => $scheme, 'read_write_timeout' => $this->answersIn / 1000, 'tcp_nodelay' => true] +
			($scheme === 'unix' ? ['path' => $path] : ['host' => $host, 'port' => $port]) + ['ssl' => self::tls(is_array($options['ssl'] ?? null) ? $options['ssl'] : [])];
		$this->hasUser = $user !== '';
		$this->key = hash('sha256', serialize([$parameters, $greeting]));
		$this->parameters = new \SensitiveParameterValue([$parameters, $greeting]);
	}

	public function __destruct()
	{
		if ($this->isPersistent) {
			$this->leave();
		}
	}

	/** Options of TLS as PHP takes them, which passes over what it does not know. */
	private static function tls(#[\SensitiveParameter] array $given): array
	{
		$given = array_filter($given, static fn (mixed $option): bool => $option !== null && $option !== '');
		foreach ($given as $name => $option) {
			in_array($name, self::TLS, true) || throw new \ValueError("option \"ssl.$name\" is not supported; see docs/operate/tls.md");
			if (in_array($name, self::TLS_FLAGS, true)) {
				$given[$name] = filter_var($option, FILTER_VALIDATE_BOOL, FILTER_NULL_ON_FAILURE) ?? throw new \ValueError("option \"ssl.$name\" must be true or false");
				$given[$name] || !in_array($name, ['SNI_enabled', 'disable_compression'], true) || throw new \ValueError("option \"ssl.$name\" must be true, as it always is");
			}
		}

		return ['crypto_type' => STREAM_CRYPTO_METHOD_TLSv1_2_CLIENT | STREAM_CRYPTO_METHOD_TLSv1_3_CLIENT] + $given;
	}

	/** ms of a clock that does not jump. */
	public static function now(): int
	{
		return intdiv((int) hrtime(true), 1_000_000);
	}

	public static function later(int $ms): int
	{
		return $ms === self::NEVER ? self::NEVER : self::now() + $ms;
	}

	/** Over which the next request may be sent; a new one by then. */
	public function connection(int $until): Connection
	{
		if ($this->connection?->isFit() === false) {
			Stats::count($this->uri, 'stale');
			$this->leave();
		}
		foreach ($this->connection === null ? self::$idle[$this->key] ?? [] : [] as $i => $connection) {
			$isFit = $connection->isFit();
			// One of the parent process stays: to close it may say something in its place.
			if ($isFit || $connection->pid === getmypid() && $connection->sentAt + self::KEPT < self::now()) {
				unset(self::$idle[$this->key][$i]);
			}
			if ($isFit) {
				return $this->connection = $connection;
			}
		}

		if ($this->connection === null) {
			$this->connection = $this->open($until, $this->retries);
			$this->hasConnected && Stats::count($this->uri, 'reconnects');
			$this->hasConnected = true;
		}

		return $this->connection;
	}

	/** Over which requests without an answer may be outstanding, or a new one. */
	public function outstanding(int $until): Connection
	{
		return $this->connection?->isOpen() ? $this->connection : $this->connection($until);
	}

	/** What was sent over the connection is executed all the same. It is used again when that has been answered. */
	public function leave(): void
	{
		if ($this->connection !== null) {
			self::$finishes || register_shutdown_function(self::finish(...));
			self::$finishes = true;
			self::$idle[$this->key][] = $this->connection;
		}
		$this->connection = null;
	}

	/** At the end: a server that cannot write an answer, since we are gone, does not read the release behind that request. */
	private static function finish(): void
	{
		[self::$finishes, $until] = [false, self::later(1000)];
		foreach (array_merge(...array_values(self::$idle)) as $connection) {
			$connection->finish($until);
		}
	}

	/** For a method that a signal handler calls amid another one, whose connection stays its own: it may have to release behind its request. */
	public function setAside(): ?Connection
	{
		[$outer, $this->connection] = [$this->connection, null];

		return $outer;
	}

	public function resume(?Connection $outer): void
	{
		$this->leave();
		$this->connection = $outer;
	}

	public function drop(): void
	{
		$this->connection = null;
	}

	public function open(int $until, int $retries): Connection
	{
		try {
			/** @var array{array<string, mixed>, list<list<string>>} $parameters */
			$parameters = $this->parameters->getValue();

			return new Connection($this->uri, $this->answersIn, $parameters[0], $parameters[1], min($until, self::later($this->connectsIn)));
		} catch (Trouble $trouble) {
			if ($retries === 0 || !$trouble->isRetryable || self::now() >= $until) {
				throw $trouble;
			}
		}
		usleep(max(0, min($this->retryPause, $until - self::now())) * 1000);

		return $this->open($until, $retries - 1);
	}

	/** What was answered is no answer to the request: what comes next is unknown, too. */
	public function misfit(): Trouble
	{
		if ($this->connection !== null) {
			$this->connection->unread = Connection::UNKNOWN;
		}

		return new Trouble('the server sent a reply that does not fit the request', $this->uri, false, true);
	}
}
