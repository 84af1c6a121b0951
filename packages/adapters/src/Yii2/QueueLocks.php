<?php

declare(strict_types=1);

namespace RedisLock\Yii2;

use RedisLock\Adapter\RequestLocks;
use Yii;
use yii\base\BootstrapInterface;
use yii\base\Event;
use yii\queue\Queue;

/**
 * Ends process-bound locks with the job of yii2-queue that has acquired them, where a worker runs many jobs in one process. A
 * job that throws need not release its lock for its next attempt to have it. The log names the locks that a job left behind.
 *
 * ```php
 * 'bootstrap' => ['queue', RedisLock\Yii2\QueueLocks::class],
 * ```
 */
final class QueueLocks implements BootstrapInterface
{
	/**
	 * @param \yii\base\Application $app
	 * @return void
	 */
	public function bootstrap($app)
	{
		Event::on(Queue::class, 'beforeExec', static fn () => RequestLocks::begin());
		foreach (['afterExec', 'afterError'] as $event) {
			Event::on(Queue::class, $event, self::end(...));
		}
	}

	private static function end(): void
	{
		$left = RequestLocks::left('job');
		if ($left !== null) {
			Yii::warning($left[0], 'redislock');
		}
	}
}
