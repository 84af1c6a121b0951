<?php

declare(strict_types=1);

namespace RedisLock\Yii2;

use RedisLock\Adapter\Server;
use Yii;
use yii\base\InvalidConfigException;
use yii\redis\Connection;

/**
 * Mutex component of Yii 2, kept by the redislock extension. Its keys are those of yii\redis\Mutex, so that hosts can
 * change over one by one, and so are its properties. acquire() with a timeout is woken by the release.
 *
 * ```php
 * 'components' => [
 *     'mutex' => ['class' => RedisLock\Yii2\Mutex::class],
 * ],
 * ```
 */
class Mutex extends \yii\mutex\Mutex
{
	/** The class whose name is in the keys. */
	private const STOCK = 'yii\redis\Mutex';

	/**
	 * @var int|float seconds after which a lock is free whatever happened, above 0. A process-bound lock lives as long as its
	 * process; this is then how long it outlives a machine that vanishes as a whole.
	 */
	public $expire = 30;

	/** @var string|null what every key begins with; null: made from the id of the application */
	public $keyPrefix;

	/**
	 * @var Connection|array|string a Redis connection of Yii, its configuration, or its id as a component; or, without
	 * yiisoft/yii2-redis, options of \RedisLock or a URI
	 */
	public $redis = 'redis';

	/**
	 * @var bool whether locks live exactly as long as this process: renewed while it runs, freed at once when it is killed. If
	 * one is lost all the same, a RedisLock\LockLostException is thrown in the code that runs.
	 */
	public $processBound = false;

	/** @var int milliseconds between two looks of a waiter while the holder is of another make and will wake nobody */
	public $retryDelay = 50;

	/** All locks of this component: they share a connection. */
	private \RedisLock $_lock;

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
		$this->_lock = (new Server($this->serverOptions()))->lock('mutex',
			['ttl' => Server::ttl((float) $this->expire), 'retry' => max(1, $this->retryDelay), 'renew' => $this->processBound]);
	}

	protected function acquireLock($name, $timeout = 0)
	{
		try {
			// Whole seconds and no less: the extension's clock ticks in milliseconds.
			return $timeout > 0
				? $this->_lock->lock($this->calculateKey($name), \RedisLock::BLOCKED, ['waitTime' => Server::wait($timeout + 0.001)])
				: $this->_lock->lock($this->calculateKey($name));
		} catch (\LogicException) {
			// Ours already, by another name with the same key.
			return false;
		}
	}

	protected function releaseLock($name)
	{
		return $this->_lock->unlock($this->calculateKey($name));
	}

	/** As yii\redis\Mutex does it: also in that all names that are not UTF-8 have the same key. */
	protected function calculateKey($name)
	{
		return $this->keyPrefix . md5((string) json_encode([self::STOCK, $name]));
	}

	private function serverOptions(): array|string
	{
		$redis = $this->redis;
		if (is_string($redis) && !str_contains($redis, ':')) {
			$redis = Yii::$app->get($redis);
		} elseif (is_array($redis) && isset($redis['class'])) {
			$redis = Yii::createObject($redis);
		}
		if ($redis instanceof Connection) {
			return self::optionsOf($redis);
		}

		return is_array($redis) || is_string($redis) ? $redis
			: throw new InvalidConfigException('"redis" must be a yii\redis\Connection, options or a URI.');
	}

	private static function optionsOf(Connection $connection): array
	{
		$names = ['username', 'password', 'database', 'connectionTimeout', 'dataTimeout', 'useSSL', 'contextOptions', 'retries',
			'retryInterval'];
		// Yii passes over the rest of the address where there is a socket.
		array_push($names, ...($connection->unixSocket ? ['unixSocket'] : ['scheme', 'hostname', 'port']));
		$options = array_intersect_key(get_object_vars($connection), array_flip($names));
		// Without a password it does not log in.
		if (($options['password'] ?? '') === '') {
			unset($options['username'], $options['password']);
		}

		return $options;
	}
}
