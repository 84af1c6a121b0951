<?php

declare(strict_types=1);

namespace RedisLock\Yii2;

use RedisLock\Adapter\UnitOfWork;
use Yii;
use yii\base\BootstrapInterface;
use yii\base\Event;
use yii\queue\Queue;

/**
 * Ends process-bound locks with the job of yii2-queue that has acquired them, where a worker runs many jobs in one process. A
 * job that throws need not release its lock for its next attempt to have it. The log names the locks that a job left behind.
 */
final class QueueListener implements BootstrapInterface
{
	/**
	 * @param \yii\base\Application $app
	 * @return void
	 */
	public function bootstrap($app)
	{
		Event::on(Queue::class, 'beforeExec', static fn () => UnitOfWork::begin());
		foreach (['afterExec', 'afterError'] as $event) {
			Event::on(Queue::class, $event, self::end(...));
		}
	}

	private static function end(): void
	{
		[$message, $names] = UnitOfWork::left('job');
		Mutex::forgetEnded($names);
		if ($message !== '') {
			Yii::warning($message, 'redislock');
		}
	}
}
