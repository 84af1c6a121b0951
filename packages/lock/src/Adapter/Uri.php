<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal A URI as the extension takes it, and whatever else a DSN of Symfony's cache and lock may say, as options.
 *
 * What has two meanings is refused. Messages show no part of it: a password may be anywhere in it, by mistake.
 */
final class Uri
{
	/** The option of a URI that lists its hosts, if there are several. */
	public const HOSTS = 'host[]';
	public const CLEAR_TEXT = 'options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS';
	/** Schemes. */
	public const TLS = ['tls', 'ssl', 'rediss', 'valkeys'];
	public const CLEAR = ['tcp', 'redis', 'valkey'];
	private const DEFAULT = 'the default server is never used instead';
	private const WRONG = [
		'/^[\x00-\x20]*$/D' => 'must name a server, and names none; ' . self::DEFAULT,
		'/[\x00-\x20\x7f]/' => 'must not contain blanks or control characters; they are percent-encoded',
		'/#/' => 'must not contain "#", which is written "%23"',
		'/%(?![0-9a-f]{2})/i' => 'has a broken percent-encoding; a "%" itself is written "%25"',
	];

	/** @var array<string, mixed> */
	private array $options = [];
	/** @var array<string, array<string, mixed>> Symfony's host[...] and the host in front of the query, by what they are */
	private array $hosts = [];
	/** @var list<string> Symfony's auth=... or auth[]=... */
	private array $auth = [];
	/** Whether keys of the query may be told: because of a mistyped separator, one may be a piece of a password. */
	private bool $tellsKeys;

	private function __construct(#[\SensitiveParameter] string $uri, private readonly string $what, bool $symfony)
	{
		$this->tellsKeys = !str_contains($uri, '@');
		foreach (self::WRONG as $pattern => $why) {
			if (preg_match($pattern, $uri) === 1) {
				throw $this->wrong($why);
			}
		}
		// "host:port", which is clear without a scheme.
		if (preg_match('~^(?:\[[^/@?]+\]|[^/@?:\[]+):\d+$~D', $uri) === 1) {
			$this->options = $this->address($uri);

			return;
		}
		[$rest, $query] = explode('?', $uri, 2) + [1 => ''];
		[$scheme, $rest] = explode(':', $rest, 2) + [1 => null];
		$scheme = strtolower((string) $scheme);
		$known = in_array($scheme, [...self::TLS, ...self::CLEAR, 'unix'], true);
		if ($rest === null || !$known && !str_starts_with($rest, '//') || $scheme === '') {
			throw $this->wrong('must be a server, as "tcp://host:port" and "host:port" are; a lock\'s name goes into "name"');
		}
		if (!$known) {
			throw new \ValueError("the scheme of $this->what must be one of tcp, redis, valkey, unix, tls, rediss, valkeys");
		}
		$scheme === 'unix' ? $this->readSocket($rest) : $this->readHierarchy($rest, $scheme, $symfony);
		foreach (explode('&', $query) as $pair) {
			if ($pair !== '') {
				[$key, $value] = explode('=', $pair, 2) + [1 => ''];
				$this->readOption(urldecode($key), urldecode($value));
			}
		}
		$this->end(in_array($scheme, self::TLS, true) ? 'tls' : ($scheme === 'unix' ? 'unix' : 'tcp'));
	}

	/**
	 * @param string $what its name in messages
	 * @param bool $symfony whether "redis://x@host" has a password, as in Symfony, and not an error: others have a user there
	 * @return array<string, mixed> options by the names they have in it
	 */
	public static function read(#[\SensitiveParameter] string $uri, string $what = 'the URI', bool $symfony = false): array
	{
		return (new self($uri, $what, $symfony))->options;
	}

	private function readSocket(#[\SensitiveParameter] string $rest): void
	{
		$hasAuthority = str_starts_with($rest, '//');
		$rest = $hasAuthority ? $this->takeLogin(substr($rest, 2), false) : $rest;
		if (preg_match('~^/.~', $rest) !== 1) {
			throw $this->wrong('must have the absolute path of a socket behind ' . ($hasAuthority ? '"unix://", which makes three slashes' : '"unix:"'));
		}
		$this->options['path'] = rawurldecode($rest);
	}

	/** [//][user:password@][host][:port][/database], or the path of a socket and perhaps a database */
	private function readHierarchy(#[\SensitiveParameter] string $rest, string $scheme, bool $symfony): void
	{
		if (!str_starts_with($rest, '//')) {
			// Symfony's redis:?host[...]
			if ($this->takeLogin($rest, $symfony) !== '') {
				throw $this->wrong('must have "//" behind its scheme');
			}

			return;
		}
		$rest = $this->takeLogin(substr($rest, 2), $symfony);
		$slash = strpos($rest, '/');
		[$authority, $path] = $slash === false ? [$rest, ''] : [substr($rest, 0, $slash), substr($rest, $slash)];
		preg_match('~^(.*)/(\d*)$~Ds', $path, $cut);
		[$path, $database] = $cut === [] ? [$path, ''] : [$cut[1], $cut[2]];
		if ($database !== '') {
			$this->options['database'] = $database;
		}
		if ($path !== '' && $authority !== '' || str_starts_with(rawurldecode($authority), '/')) {
			throw $this->wrong('must have nothing but the number of a database behind its host; a socket is "unix:/run/redis.sock"');
		}
		if ($path !== '') {
			$path = rawurldecode($path);
			$this->hosts[$path] = ['path' => $path];
		} elseif ($authority !== '') {
			$this->hosts[$authority] = $this->address($authority);
		}
	}

	/** Cuts "user:password@" off the front. */
	private function takeLogin(#[\SensitiveParameter] string $rest, bool $symfony): string
	{
		$parts = explode('@', $rest);
		if (str_contains($parts[0], '/') && count($parts) > 1) {
			if ($parts[0][0] === '/') {
				return $rest; // the path of a socket
			}
			throw $this->wrong('has an "@" in its path; a "/" in a user name or password is written "%2F"');
		}
		if (count($parts) > 2 && !str_contains(implode('@', array_slice($parts, 1, -1)), '/')) {
			throw $this->wrong('has more than one "@"; in a user name or password it is written "%40"');
		}
		if (count($parts) === 1) {
			return $rest;
		}
		$login = explode(':', array_shift($parts), 2);
		if (count($login) === 1 && (!$symfony || $login[0] === '')) {
			throw $this->wrong('has no ":" in front of its "@": a user or a password? Write ":password@" or "user:password@"');
		}
		$password = rawurldecode($login[1] ?? $login[0]);
		$user = count($login) > 1 ? rawurldecode($login[0]) : '';
		// Symfony logs in as "default" without a name.
		$this->options += ['username' => $user, 'password' => $password];

		return implode('@', $parts);
	}

	/** @return array<string, string> */
	private function address(#[\SensitiveParameter] string $given): array
	{
		if (preg_match('~^(\[[^\]]*\]|[^:\[\]]*)(?::(\d*))?$~D', $given, $parts) !== 1) {
			throw $this->wrong(match (true) {
				$given[0] === '[' && !str_contains($given, ']') => 'has a "[" without "]"',
				$given[0] === '[' && preg_match('/\][^:]/', $given) === 1 => 'has something between the "]" of its address and the port',
				default => 'has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded',
			});
		}
		$host = rawurldecode($parts[1]);
		if ($host === '') {
			throw $this->wrong('must name a host; a socket is "unix:/run/redis.sock"; ' . self::DEFAULT);
		}
		if (preg_match('/^(\[[0-9a-f:.%\w]+\]|[\w.-]+)$/Di', $host) !== 1 || strlen($host) > 255) {
			throw new \ValueError("the host of $this->what must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, " .
				'without port, user or password');
		}

		return ['host' => $host] + (($parts[2] ?? '') === '' ? [] : ['port' => $parts[2]]);
	}

	private function readOption(string $key, #[\SensitiveParameter] string $value): void
	{
		if (preg_match('/^(\w+)\[(.*?)\](.*)$/Ds', $key, $parts) === 1) {
			[, $name, $inner, $behind] = $parts;
			match (true) {
				$name === 'host' => $this->readHost($inner, $behind, $value),
				$name === 'ssl' && $behind === '' => $this->options['ssl'] = [$inner => $value] + (array) ($this->options['ssl'] ?? []),
				$name === 'auth' && $behind === '' && in_array($inner, ['', (string) count($this->auth)], true) && count($this->auth) < 2 => $this->auth[] = $value,
				(OptionTable::names()[$name] ?? null) === '', $name === 'cluster_relay_context' => null,
				default => throw $this->unknown($key),
			};

			return;
		}
		$name = OptionTable::names()[$key] ?? null;
		if (in_array($name, ['password', 'sentinel_password', 'url', 'auth'], true)) {
			$this->tellsKeys = false;
		}
		if ($key === 'auth') {
			if ($this->auth !== [] && $this->auth !== [$value]) {
				throw $this->twice('auth');
			}
			$this->auth = [$value];
		} elseif (in_array($name, ['servers', 'sentinels', 'url'], true)) {
			throw new \ValueError("option \"$key\" cannot be given in a URI");
		} elseif (OptionTable::own($key) === null) {
			throw $this->unknown($key);
		} elseif (($this->options[$key] ?? $value) !== $value) {
			throw $this->twice($key);
		} else {
			$this->options[$key] = $value;
		}
	}

	/** host[name:port] or host[/path:], of whose parameters only those may be there that say nothing of where it is and who asks it. */
	private function readHost(#[\SensitiveParameter] string $inner, string $behind, #[\SensitiveParameter] string $value): void
	{
		foreach (explode('&', $behind === '' ? $value : trim($behind, '[]')) as $parameter) {
			$name = explode('=', $parameter)[0];
			if ($name !== '' && $name !== 'weight' && (OptionTable::names()[$name] ?? null) !== '') {
				throw new \ValueError("option \"host\" of $this->what must be host[name:port], without parameters of its own");
			}
		}
		if ($inner === '') {
			throw new \ValueError("the host of $this->what must name a server, and names none; " . self::DEFAULT);
		}
		$path = rtrim($inner, ':');
		$this->hosts[$inner] = $inner[0] === '/' ? ['path' => $path] : $this->address($inner);
	}

	private function end(string $transport): void
	{
		$hosts = array_values($this->hosts);
		$service = array_intersect_key($this->options, ['service' => 0, 'sentinel' => 0, 'sentinel_master' => 0, 'redis_sentinel' => 0, 'sentinel_service' => 0]);
		$isSentinel = array_filter($service) !== [];
		if ($this->auth !== []) {
			$auth = count($this->auth) === 2 ? $this->auth : ['', $this->auth[0]];
			// With sentinels it is theirs, and that of the servers only if the URI has no other one. Else it wins.
			if ($isSentinel) {
				$this->options += ['sentinel_username' => $auth[0], 'sentinel_password' => $auth[1]];
				if (($this->options['password'] ?? '') === '') {
					[$this->options['username'], $this->options['password']] = $auth;
				}
			} else {
				$user = count($this->auth) === 2 ? $auth[0] : $this->options['user'] ?? $auth[0];
				unset($this->options['user']);
				[$this->options['username'], $this->options['password']] = [$user, $auth[1]];
			}
		}
		foreach ($hosts as $host) {
			if (isset($host['path']) && $transport === 'tls') {
				throw $this->wrong('asks for TLS on a unix socket, where there is none');
			}
		}
		if (count($hosts) === 1) {
			foreach ($hosts[0] as $key => $value) {
				($this->options[$key] ?? $value) === $value || throw $this->twice($key);
			}
			$this->options += $hosts[0];
			$transport = isset($hosts[0]['path']) ? 'unix' : $transport;
		} elseif ($hosts !== []) {
			$this->options[self::HOSTS] = $hosts;
		} elseif (!isset($this->options['path'])) {
			throw $this->wrong('must name a host; a socket is "unix:/run/redis.sock"; ' . self::DEFAULT);
		}
		if (isset($this->options['ssl']) && $transport !== 'tls') {
			throw new \ValueError(self::CLEAR_TEXT);
		}
		if (isset($this->options['scheme'])) {
			throw $this->twice('scheme');
		}
		$this->options['scheme'] = $transport;
	}

	private function twice(string $key): \ValueError
	{
		return new \ValueError("option \"$key\" is given twice, with different values, one of them in $this->what");
	}

	private function unknown(#[\SensitiveParameter] string $key): \ValueError
	{
		return new \ValueError($this->tellsKeys ? 'unknown option "' . addcslashes($key, "\0..\37\"\\\177..\377") . '"'
			: "unknown option in the query of $this->what");
	}

	private function wrong(string $why): \ValueError
	{
		return new \ValueError("$this->what $why");
	}
}
