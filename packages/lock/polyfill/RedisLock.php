<?php

declare(strict_types=1);

use RedisLock\Adapter\Extension;
use RedisLock\Adapter\Failure;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\NotCopied;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\Token;
use RedisLock\Adapter\Uri;
use RedisLock\Options;
use RedisLock\Polyfill\Hold;
use RedisLock\Polyfill\Server;
use RedisLock\Polyfill\Stats;
use RedisLock\Polyfill\Trouble;

/**
 * The class of the extension, where that is not loaded: leases, over Predis. What it cannot do is refused. docs/reference/api.md
 * describes the methods.
 */
class RedisLock implements RedisLock\ManagedLock, Stringable
{
	use NotCopied;

	public const NONBLOCKED = 0;
	public const BLOCKED = 1;

	private Server $server;
	private LockOptions $options;
	/** @var array<string, Hold> by name; without a configured one, the first is that of "" */
	private array $holds = [];
	/** How many methods are under way: a signal handler may call one amid another. */
	private int $underWay = 0;

	public function __construct(#[SensitiveParameter] array|string $params = [], #[SensitiveParameter] array $options = [])
	{
		$this->configure($params, $options, __METHOD__, 2);
	}

	public static function restore(#[SensitiveParameter] array|string $params, string $name, #[SensitiveParameter] string $token, #[SensitiveParameter] array $options = []): static
	{
		self::check('name', $name, __METHOD__ . '(): Argument #2 ($name)');
		self::check('token', $token, __METHOD__ . '(): Argument #3 ($token)');
		$lock = (new ReflectionClass(static::class))->newInstanceWithoutConstructor();
		$lock->configure($params, ['name' => $name] + $options, __METHOD__, 4);
		$lock->holds[$name]->restore($token);

		return $lock;
	}

	public static function newToken(?string $label = null): string
	{
		self::check('label', $label ?? '', __METHOD__ . '(): Argument #1 ($label)');

		return Token::make($label);
	}

	#[NoDiscard]
	public function acquire(?float $wait = null): bool
	{
		return $this->enter($this->options, self::ms($wait, __METHOD__ . '(): Argument #1 ($wait)', true) ?? $this->options->wait);
	}

	#[NoDiscard]
	public function keepAlive(?float $ttl = null): bool
	{
		$ms = self::ms($ttl, __METHOD__ . '(): Argument #1 ($ttl)', false);
		$hold = $this->named();
		if ($ms === 0 && ($hold->options->holdAtLeast > 0 || $hold->options->fence || $hold->isSet)) {
			throw new ValueError(__METHOD__ . '(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence');
		}

		return $this->with(static fn (Hold $hold): bool => $hold->mayAsk() && $hold->extend($ms ?? $hold->ttl));
	}

	public function release(): bool
	{
		return $this->with(static fn (Hold $hold): bool => $hold->mayAsk() && $hold->release());
	}

	public function synchronized(callable $code): mixed
	{
		throw Extension::lacks('synchronized()');
	}

	public function isHeld(): bool
	{
		return $this->named()->left() > 0;
	}

	public function isAcquired(): bool
	{
		return $this->with(static fn (Hold $hold): bool => $hold->mayAsk() && $hold->confirm());
	}

	public function remaining(): float
	{
		$left = $this->named()->left();

		return $left === Server::NEVER ? INF : $left / 1000;
	}

	public function forceRelease(#[SensitiveParameter] ?string $token = null): bool
	{
		$token === null || self::check('token', $token, __METHOD__ . '(): Argument #1 ($token)');

		return $this->with(static fn (Hold $hold): bool => $hold->free($token), null, !$this->isHeld());
	}

	public function holder(): ?array
	{
		return $this->with(static fn (Hold $hold): ?array => $hold->holder(), null, true);
	}

	public function holders(): array
	{
		return $this->with(static fn (Hold $hold): array => $hold->holders(), null, true);
	}

	public function upgrade(): bool
	{
		return $this->with(static fn (Hold $hold): bool => $hold->left() > 0 && (!$hold->isSet || $hold->upgrade()), $this->shareable());
	}

	public function downgrade(): bool
	{
		$hold = $this->shareable();
		$hold->left() === 0 || $hold->ttl > 0 || throw Failure::misuse($hold->name, 'has no expiry, and cannot be shared');

		return $this->with(static fn (): bool => $hold->left() > 0 && $hold->downgrade());
	}

	public function detach(): string
	{
		return $this->with(static function (Hold $hold): string {
			$hold->left() > 0 || throw Failure::misuse($hold->name, 'is not held by this object');
			$hold->forget();

			return $hold->token;
		});
	}

	public function exec(string $program, array $args = [], #[SensitiveParameter] ?array $env = null, float $grace = 10.0): never
	{
		throw Extension::lacks('exec()');
	}

	public static function setPoller(?callable $poller, bool $main = false): ?callable
	{
		return $poller === null ? null : throw Extension::lacks('setPoller()');
	}

	public function getName(): string
	{
		return $this->named()->name;
	}

	public function getToken(): ?string
	{
		$hold = $this->named();

		return $hold->isKnown && !$hold->isOurs || $hold->left() > 0 ? $hold->token : null;
	}

	public function getFence(): ?int
	{
		return $this->isHeld() ? $this->named()->fence : null;
	}

	public function __toString(): string
	{
		$hold = $this->holds[$this->options->name];

		return $this->options->name . '[' . ($hold->isOurs ? $hold->ttl : $this->options->ttl) / 1000 . ']';
	}

	public function lock(string $name, int $policy = self::NONBLOCKED, #[SensitiveParameter] array $config = []): bool
	{
		self::check('name', $name, __METHOD__ . '(): Argument #1 ($name)');
		if ($policy !== self::NONBLOCKED && $policy !== self::BLOCKED) {
			throw new ValueError(__METHOD__ . '(): Argument #2 ($policy) must be RedisLock::NONBLOCKED or RedisLock::BLOCKED');
		}
		$options = self::valid(__METHOD__ . '(): Argument #3 ($config)', fn (): LockOptions => self::leaseOf($this->options->with(OptionTable::ofCall($config), ['name' => $name])));
		// A wait that is not given has 10 s.
		$wait = $policy === self::NONBLOCKED ? 0 : ($options->wait > 0 || isset($config['wait']) || isset($config['waitTime']) ? $options->wait : 10_000);
		$this->holds = array_filter($this->holds, fn (Hold $hold): bool => $hold->name === $this->options->name || $hold->isInUse || !$hold->isOver());

		return $this->enter($options, $wait, $this->holds[$name] ??= new Hold($this->server, $name, $options->prefix, $options));
	}

	public function unlock(string $name): bool
	{
		self::check('name', $name, __METHOD__ . '(): Argument #1 ($name)');

		return isset($this->holds[$name]) && $this->with(static fn (Hold $hold): bool => $hold->mayAsk() && $hold->release(), $this->holds[$name]);
	}

	/** Never tokens or passwords. */
	public function __debugInfo(): array
	{
		$locks = array_map(static fn (Hold $hold): string => $hold->left() > 0 ? 'held, ' . $hold->left() / 1000 . ' s left' : 'not held', $this->holds);

		return ['servers' => [$this->server->uri], 'prefix' => $this->options->prefix, 'locks' => array_diff_key($locks, ['' => 0])];
	}

	private function configure(#[SensitiveParameter] array|string $params, #[SensitiveParameter] array $options, string $method, int $argument): void
	{
		Extension::need();
		$above = self::valid("$method(): Argument #$argument (\$options)", static fn (): array => self::layer($options));
		self::valid("$method(): Argument #1 (\$params)", fn () => $this->read([$above, self::layer($params)]));
		$this->holds[$this->options->name] = new Hold($this->server, $this->options->name, $this->options->prefix, $this->options);
	}

	/** @param array{array, array} $layers of which the first wins */
	private function read(#[SensitiveParameter] array $layers): void
	{
		$ini = array_filter(array_map(Extension::setting(...), ['prefix' => 'prefix', 'ttl' => 'ttl', 'timeout' => 'connect_timeout', 'read_write_timeout' => 'io_timeout']));
		$this->options = self::leaseOf(new LockOptions([...$layers, $ini]));
		$tls = array_filter([...array_column($layers, 'ssl'), ...array_column($layers, 'useSSL')], static fn (mixed $option): bool => !OptionTable::isOff($option));
		[$above, $server] = array_map(static fn (array $layer): array => Options::from(array_diff_key($layer, ['ssl' => 0, 'useSSL' => 0])), $layers);
		// An address above is a whole, but for the port and TLS.
		$server = $above + array_diff_key($server, isset($above['path']) ? ['host' => 0, 'scheme' => 0] : (isset($above['host'], $server['path']) ? ['path' => 0, 'scheme' => 0] : []));
		$server += $tls === [] ? [] : ['ssl' => array_merge([], ...array_reverse(array_filter($tls, is_array(...)))) ?: true];
		$default = Extension::setting('server');
		if ($default !== '' && array_intersect_key($server, ['host' => 0, 'path' => 0, 'servers' => 0, 'sentinels' => 0, 'cluster' => 0]) === []) {
			$default = Options::from($default);
			$server += array_diff_key($default, ($default['scheme'] ?? '') === 'tcp' ? ['scheme' => 0] : []);
		}
		$this->server = new Server($server + $ini);
	}

	/** One layer of options. What its URL says stands beside the rest, and all of it names one server. */
	private static function layer(#[SensitiveParameter] array|string $given): array
	{
		/** @var string|null $url */
		$url = is_string($given) ? $given : OptionTable::read($given)['url'] ?? null;
		$read = $url === null ? [] : Uri::read($url, is_string($given) ? 'the URI' : 'option "url"') + ['scheme' => 'tcp'];
		isset($read[Uri::HOSTS]) && throw OptionTable::unknown(Uri::HOSTS);
		$given = is_string($given) ? [] : array_diff_key($given, ['url' => 0]);
		foreach (array_intersect_key($given, $read) as $key => $value) {
			if ($value !== null && OptionTable::read([$key => $value]) !== OptionTable::read([$key => $read[$key]])) {
				throw new ValueError("option \"$key\" is given twice, with different values, one of them in option \"url\"");
			}
		}
		$layer = array_filter($read + $given, static fn (mixed $option): bool => $option !== null);
		/** @var array{host?: string, path?: string, scheme?: string} $values */
		$values = OptionTable::read($layer);
		$rival = isset($values['host']) ? 'host' : (strtolower($values['scheme'] ?? 'unix') === 'unix' ? null : 'scheme');
		if (isset($values['path']) && $rival !== null) {
			throw new ValueError("options \"$rival\" and \"path\" name two different servers; leave one out");
		}

		return $layer;
	}

	private static function leaseOf(LockOptions $options): LockOptions
	{
		$refused = array_filter(['renew' => $options->renew, 'reentrant' => $options->reentrant]);

		return $refused === [] ? $options : throw Extension::lacks('option "' . key($refused) . '"');
	}

	private function named(): Hold
	{
		return $this->options->name !== '' ? $this->holds[$this->options->name] : throw new ValueError('option "name" is required: it says which lock is meant');
	}

	/** A held lock has the options of its acquisition; those of lock() may differ. */
	private function shareable(): Hold
	{
		return ($this->isHeld() ? $this->named()->options : $this->options)->permits === 1 ? $this->named()
			: throw Failure::misuse($this->named()->name, 'has permits: it can be neither upgraded nor downgraded, as a lock that is shared can');
	}

	private function enter(LockOptions $options, int $wait, ?Hold $hold = null): bool
	{
		return $this->with(static fn (Hold $hold): bool => $hold->left() === 0 ? $hold->acquire($options, $wait) : throw Failure::misuse($hold->name, 'is already held by this object'), $hold);
	}

	/**
	 * Runs an operation on the configured lock, or on that one. No other one may be under way, unless it goes $beside: it is about the locks of others.
	 *
	 * @template T
	 * @param Closure(Hold): T $code
	 * @return T
	 */
	private function with(Closure $code, ?Hold $hold = null, bool $beside = false): mixed
	{
		$hold ??= $this->named();
		$isInUse = $hold->isInUse;
		if ($isInUse && !$beside) {
			throw Failure::misuse($hold->name, 'is in use by another fiber, or by the call that this signal handler interrupts');
		}
		$hold->isInUse = true;
		[$outer, $isAmid] = [null, $this->underWay++ > 0];
		try {
			$outer = $isAmid ? $this->server->setAside() : null;

			return $code($hold);
		} catch (Trouble $trouble) {
			throw $trouble->about($hold->name);
		} finally {
			$hold->isInUse = $isInUse;
			$this->underWay--;
			$isAmid && $this->server->resume($outer);
			Stats::deliver();
		}
	}

	/**
	 * What is thrown of wrong options, or of one, says which argument that was.
	 *
	 * @template T
	 * @param Closure(): T $code
	 * @return T
	 */
	private static function valid(string $argument, Closure $code, string $option = ''): mixed
	{
		try {
			return $code();
		} catch (ValueError | TypeError $e) {
			throw new ($e::class)("$argument is not valid: " . ($option === '' ? $e->getMessage() : str_replace("option \"$option\"", 'it', $e->getMessage())));
		}
	}

	private static function check(string $option, #[SensitiveParameter] string $value, string $argument): void
	{
		self::valid($argument, static fn (): mixed => OptionTable::check($option, $value), $option);
	}

	private static function ms(?float $seconds, string $argument, bool $isInfinite): ?int
	{
		return $seconds === null ? null : OptionTable::toMs($seconds, true, $isInfinite, "$argument is not valid: it");
	}
}
