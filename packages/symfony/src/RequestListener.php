<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use Psr\Log\LoggerInterface;
use RedisLock\Adapter\UnitOfWork;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpKernel\Event\KernelEvent;
use Symfony\Component\HttpKernel\KernelEvents;
use Symfony\Component\Messenger\Event\WorkerMessageFailedEvent;
use Symfony\Component\Messenger\Event\WorkerMessageHandledEvent;
use Symfony\Component\Messenger\Event\WorkerMessageReceivedEvent;
use Symfony\Contracts\Service\ResetInterface;

/**
 * Ends process-bound locks with the request, or the message of Messenger, that has acquired them, where one process serves many.
 * The log names the locks that were left behind. Those that the process held before, or acquires between messages, stay.
 *
 * Locks end at "kernel.terminate", behind all other listeners. If a runtime does not terminate the kernel, after an exception
 * for example, they end when the services are reset, which is before the next request. Those of a message end before it is sent
 * to be tried again.
 */
final class RequestListener implements EventSubscriberInterface, ResetInterface
{
	/** Before and behind the listeners of the application and of Symfony, one of which may reject a message. */
	private const FIRST = 4096;
	private const LAST = -4096;

	/** Main requests under way: one may be handled inside another. */
	private int $depth = 0;
	/** A message is handled: requests that its handler has the kernel answer are part of it. */
	private bool $inMessage = false;

	public function __construct(private readonly ?LoggerInterface $logger = null)
	{
	}

	public static function getSubscribedEvents(): array
	{
		return [
			KernelEvents::REQUEST => ['onRequest', self::FIRST],
			KernelEvents::FINISH_REQUEST => ['onFinish', self::LAST],
			KernelEvents::TERMINATE => ['onTerminate', self::LAST],
			WorkerMessageReceivedEvent::class => ['onMessage', self::LAST],
			WorkerMessageHandledEvent::class => ['onMessageEnded', self::FIRST],
			WorkerMessageFailedEvent::class => ['onMessageEnded', self::FIRST],
		];
	}

	public function onRequest(KernelEvent $event): void
	{
		if ($event->isMainRequest()) {
			$this->depth++;
			UnitOfWork::begin();
		}
	}

	public function onFinish(KernelEvent $event): void
	{
		if ($event->isMainRequest()) {
			$this->depth = max(0, $this->depth - 1);
		}
	}

	public function onTerminate(): void
	{
		if ($this->depth === 0 && !$this->inMessage) {
			UnitOfWork::end(fn () => $this->logger);
		}
	}

	public function reset(): void
	{
		$this->depth = 0;
		$this->onTerminate();
	}

	public function onMessage(WorkerMessageReceivedEvent $event): void
	{
		if ($event->shouldHandle()) {
			$this->inMessage = true;
			UnitOfWork::begin();
		}
	}

	public function onMessageEnded(): void
	{
		$this->inMessage = false;
		UnitOfWork::end(fn () => $this->logger, 'message');
	}
}
