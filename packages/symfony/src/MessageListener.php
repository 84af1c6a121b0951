<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Psr\Log\LoggerInterface;
use RedisLock\Adapter\UnitOfWork;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\Messenger\Event\WorkerMessageFailedEvent;
use Symfony\Component\Messenger\Event\WorkerMessageHandledEvent;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;

/**
 * Ends process-bound locks with the message whose handler has acquired them, in a worker of Messenger. A handler that throws
 * need not release its lock for the retry to have it. The log names the locks that a message left behind.
 *
 * Locks that the worker acquires between messages stay, that of a schedule for example.
 */
final class MessageListener implements EventSubscriberInterface
{
	/** Behind the listeners of the application and of Symfony, one of which may reject the message. */
	private const LAST = -4096;
	/** Before them: one of Symfony's sends the message to be tried again. */
	private const FIRST = 4096;

	public function __construct(private readonly ?LoggerInterface $logger = null)
	{
	}

	public static function getSubscribedEvents(): array
	{
		return [
			WorkerMessageReceivedEvent::class => ['onReceived', self::LAST],
			WorkerMessageHandledEvent::class => ['onEnded', self::FIRST],
			WorkerMessageFailedEvent::class => ['onEnded', self::FIRST],
		];
	}

	public function onReceived(WorkerMessageReceivedEvent $event): void
	{
		if ($event->shouldHandle()) {
			UnitOfWork::begin();
		}
	}

	public function onEnded(): void
	{
		UnitOfWork::end(fn () => $this->logger, 'message');
	}
}
