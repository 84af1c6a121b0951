<?php
/*
 * Symfony's Messenger with the extension. A message that already waits is not sent a second time: DeduplicateMiddleware
 * acquires a lock, the message carries its key, and the worker releases it. The handler runs once at a time, on any number of
 * machines. If its worker is killed, it does not block the next one.
 *
 * In an application the two factories are services, the first one as in docs/guide/symfony.md. The bus, the transport and the
 * worker (messenger:consume) already exist there.
 */

use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\EventDispatcher\EventDispatcher;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Messenger\EventListener\StopWorkerOnMessageLimitListener;
use Symfony\Component\Messenger\Exception\RecoverableMessageHandlingException;
use Symfony\Component\Messenger\Handler\HandlersLocator;
use Symfony\Component\Messenger\MessageBus;
use Symfony\Component\Messenger\Middleware\DeduplicateMiddleware;
use Symfony\Component\Messenger\Middleware\HandleMessageMiddleware;
use Symfony\Component\Messenger\Middleware\SendMessageMiddleware;
use Symfony\Component\Messenger\Stamp\DeduplicateStamp;
use Symfony\Component\Messenger\Transport\InMemory\InMemoryTransport;
use Symfony\Component\Messenger\Transport\Sender\SendersLocator;
use Symfony\Component\Messenger\Transport\Serialization\PhpSerializer;
use Symfony\Component\Messenger\Worker;
use Symfony\Contracts\Service\ServiceLocatorTrait;
use Symfony\Contracts\Service\ServiceProviderInterface;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

final class Reindex
{
	public function __construct(public readonly int $shop)
	{
	}
}

final class ReindexHandler
{
	public function __construct(private LockFactory $processLocks)
	{
	}

	public function __invoke(Reindex $message): void
	{
		$lock = $this->processLocks->createLock("reindexing:$message->shop");
		if (!$lock->acquire()) {
			throw new RecoverableMessageHandlingException('another worker is at it');
		}
		echo "reindexing shop $message->shop\n";
		$lock->release();
	}
}

$server = getenv('REDIS_URL') ?: 'redis://127.0.0.1:6379';
$leases = new LockFactory(new RedisLockStore($server)); // keys of leases can be serialized
$processLocks = new LockFactory(new ProcessLockStore($server));

$transport = new InMemoryTransport(new PhpSerializer);
$transports = new class(['queue' => fn () => $transport]) implements ServiceProviderInterface {
	use ServiceLocatorTrait;
};
$bus = new MessageBus([
	new DeduplicateMiddleware($leases),
	new SendMessageMiddleware(new SendersLocator([Reindex::class => ['queue']], $transports)),
	new HandleMessageMiddleware(new HandlersLocator([Reindex::class => [new ReindexHandler($processLocks)]])),
]);

for ($i = 0; $i < 3; $i++) {
	$bus->dispatch(new Reindex(7), [new DeduplicateStamp('reindex:7', 300)]);
}
echo count($transport->getSent()), " message sent\n";

$events = new EventDispatcher;
$events->addSubscriber(new StopWorkerOnMessageLimitListener(1));
(new Worker(['queue' => $transport], $bus, $events))->run();

$bus->dispatch(new Reindex(7), [new DeduplicateStamp('reindex:7', 1)]);
echo count($transport->getSent()), " messages sent\n";
