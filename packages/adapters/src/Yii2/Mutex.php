<?php

declare(strict_types=1);

namespace RedisLock\Yii2;

use RedisLock\Adapter\Server;
use RedisLock\Options;
use Yii;
use yii\base\InvalidConfigException;
use yii\redis\Connection;
use yii\redis\Predis\PredisConnection;

/**
 * Mutex component of Yii 2 with locks of the redislock extension. Its keys and its properties are those of yii\redis\Mutex, so
 * you can migrate one host at a time. acquire() with a timeout is woken by the release.
 */
class Mutex extends \yii\mutex\Mutex
{
	/** The class whose name is in the keys. */
	private const STOCK = 'yii\redis\Mutex';

	/**
	 * @var int|float|string seconds after which a lock is free in any case, above 0. A process-bound lock lives as long as its process.
	 * For it, this is how long it stays if the whole machine vanishes.
	 */
	public $expire = 30;

	/** @var string|null what every key begins with; null: made from the id of the application */
	public $keyPrefix;

	/**
	 * @var Connection|PredisConnection|array<string, mixed>|string a Redis connection of Yii, its configuration, or its id as a component; or, without
	 * yiisoft/yii2-redis, options of \RedisLock or a URI
	 */
	public $redis = 'redis';

	/**
	 * @var bool whether locks live as long as this process: renewed while it runs, freed at once when it is killed. If a lock is
	 * lost, a RedisLock\LockLostException is thrown in the running code.
	 */
	public $processBound = false;

	/** @var int milliseconds between two polls of a waiter while a client that wakes nobody has the lock */
	public $retryDelay = 50;

	/** @var \WeakMap<self, true>|null */
	private static ?\WeakMap $_components = null;
	private Server $_server;
	/** @var array{ttl: float, retry_ms: int, renew: bool} options of every lock */
	private array $_options;
	/** All process-bound locks of this component: they share a connection. null: leases. */
	private ?\RedisLock $_bound;
	/** @var array<string, ?string> names by their keys, of the process-bound locks acquired and not released since; null: ended with its job */
	private array $_names = [];
	/** @var array<string, string> tokens of the leases acquired and not released since, by process, for a fork's are not its own */
	private array $_tokens = [];

	/** @return void */
	public function init()
	{
		parent::init();
		if ($this->keyPrefix === null) {
			$this->keyPrefix = substr(md5(Yii::$app->id), 0, 5);
		}
		if (!is_numeric($this->expire) || $this->expire <= 0) {
			throw new InvalidConfigException('"expire" must be a number of seconds above 0, not ' . json_encode($this->expire) .
				': no lock is to stay for ever.');
		}
		$this->_server = new Server($this->serverOptions());
		$this->_options = ['ttl' => Server::ttl((float) $this->expire, $this->processBound), 'retry_ms' => max(1, $this->retryDelay),
			'renew' => $this->processBound];
		$lock = $this->_server->lock('mutex', $this->_options);
		$this->_bound = $this->processBound ? $lock : null;
		self::$_components ??= new \WeakMap();
		self::$_components[$this] = true;
	}

	/**
	 * @internal Yii has a list of its own.
	 * @param list<string> $keys that have ended with their job
	 */
	public static function forgetEnded(array $keys): void
	{
		foreach (self::$_components ?? [] as $component => $_) {
			foreach (array_filter(array_intersect_key($component->_names, array_flip($keys)), is_string(...)) as $key => $name) {
				$component->_names[$key] = null;
				$component->release($name);
			}
		}
	}

	protected function acquireLock($name, $timeout = 0)
	{
		$key = $this->calculateKey($name);
		// Whole seconds and no less: the extension's clock ticks in milliseconds.
		$wait = $timeout > 0 ? $timeout + 0.001 : 0.0;
		if ($this->_bound !== null) {
			try {
				$acquired = $this->_bound->lock($key, \RedisLock::BLOCKED, ['waitTime' => Server::wait($wait)]);
			} catch (\LogicException) {
				// Ours already, by another name with the same key.
				return false;
			}
			if ($acquired) {
				$this->_names[$key] = $name;
			}

			return $acquired;
		}
		$token = $this->_server->acquire($key, $this->_options, $wait);
		if ($token === null) {
			return false;
		}
		$this->_tokens[getmypid() . " $key"] = $token;

		return true;
	}

	protected function releaseLock($name)
	{
		$key = $this->calculateKey($name);
		if ($this->_bound !== null) {
			$ended = array_key_exists($key, $this->_names) && $this->_names[$key] === null;
			unset($this->_names[$key]);

			return $ended || $this->_bound->unlock($key);
		}
		$token = $this->_tokens[getmypid() . " $key"] ?? null;
		$released = $token !== null && $this->_server->restore($key, $token)->release();
		// Not where there was no answer: it may be released again.
		unset($this->_tokens[getmypid() . " $key"]);

		return $released;
	}

	/** As yii\redis\Mutex does it: also in that all names that are not UTF-8 have the same key. */
	private function calculateKey(string $name): string
	{
		return $this->keyPrefix . md5((string) json_encode([self::STOCK, $name]));
	}

	/** @return array<mixed>|string */
	private function serverOptions(): array|string
	{
		$redis = $this->redis;
		if (is_string($redis) && !str_contains($redis, ':')) {
			$redis = Yii::$app->get($redis);
		} elseif (is_array($redis) && isset($redis['class'])) {
			$redis = Yii::createObject($redis);
		}
		if ($redis instanceof Connection) {
			return Options::from($redis);
		}
		if ($redis instanceof PredisConnection) {
			// What its client says. Of sentinels that tells nothing.
			$options = (array) $redis->options;

			return Options::from(($options['replication'] ?? null) === 'sentinel' ? [...array_values((array) $redis->parameters), 'options' => $options]
				: $redis->getClient() ?? throw new InvalidConfigException('"redis" has no client.'));
		}
		if (!is_array($redis) && !is_string($redis)) {
			throw new InvalidConfigException('"redis" must be a yii\redis\Connection, a yii\redis\Predis\PredisConnection, options or a URI.');
		}

		/** @var array<mixed>|string $redis */
		return $redis;
	}
}
