--TEST--
Symfony: in messenger:consume what a message leaves behind ends with it, so its retry has the lock, and the log names it
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/symfony.inc'; skip_unless_symfony(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/symfony.inc';
require __DIR__ . '/../inc/symfony_queue.inc';
symfony_folder();

use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RequestListener;
use Symfony\Bundle\FrameworkBundle\Console\Application;
use Symfony\Component\Console\Input\ArrayInput;
use Symfony\Component\Console\Output\NullOutput;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpKernel\KernelInterface;
use Symfony\Component\Lock\LockFactory;
use Symfony\Component\Messenger\MessageBusInterface;
use function Symfony\Component\DependencyInjection\Loader\Configurator\service;

final class Report
{
	public function __construct(public string $what)
	{
	}
}

final class Handler
{
	private static array $kept = [];
	private static int $attempt = 0;

	public function __construct(private LockFactory $locks, private KernelInterface $kernel)
	{
	}

	public function __invoke(Report $report): void
	{
		$lock = $this->locks->createLock($report->what, 30, false);
		echo $report->what, ': ', json_encode($lock->acquire()), "\n";
		self::$kept[] = $lock;
		if ($report->what === 'serves') { /* the second one resets the services first */
			echo (int) $this->kernel->get('/'), ' ', (int) $this->kernel->get('/'), ' ', json_encode($lock->isAcquired()), "\n";
		}
		if ($report->what === 'throws' && self::$attempt++ < 2) {
			throw new RuntimeException('no');
		}
	}
}

final class App extends SymfonyApp
{
	protected function configureContainer(ContainerConfigurator $container): void
	{
		$container->extension('framework', self::FRAMEWORK + ['messenger' => [
			'transports' => ['async' => ['dsn' => 'list://', 'retry_strategy' => ['delay' => 0]]],
			'routing' => [Report::class => 'async']]]);
		$services = $container->services()->defaults()->autowire()->autoconfigure();
		$services->set('logger', LockLog::class);
		$services->set('lists', ListTransports::class);
		$services->set('handler', Handler::class)->tag('messenger.message_handler');
		$services->set(RequestListener::class);
		$services->set(ProcessLockStore::class)->args(['unix:' . getenv('SOCKET')])->public();
		$services->set(LockFactory::class)->args([service(ProcessLockStore::class)]);
		$services->alias('bus', MessageBusInterface::class)->public();
	}
}

$server = new Server;
$redis = $server->client();
putenv("SOCKET=$server->socket");
$app = new App('prod', false);
$console = new Application($app);
$console->setAutoExit(false);
$consume = fn (int $limit) => $console->run(new ArrayInput(['messenger:consume', 'receivers' => ['async'], '--limit' => $limit,
	'--sleep' => 0]), new NullOutput);
$app->boot();
$bus = $app->getContainer()->get('bus');
foreach (['throws', 'serves', 'forgets', 'forgets'] as $what) {
	$bus->dispatch(new Report($what));
}
$worker = new RedisLock(['unix_socket' => $server->socket, 'name' => 'worker', 'renew' => true]);
$_ = $worker->acquire();
echo $consume(6), ', left: ', json_encode($redis('KEYS', '*')), "\n";
$held = (new ReflectionProperty(ProcessLockStore::class, 'locks'))->getValue($app->getContainer()->get(ProcessLockStore::class));
echo count($held), " kept by the store, of the last one\n";
?>
--EXPECT--
throws: true
notice: A message left the lock "throws" behind. It has ended with the message. {"locks":["throws"]}
serves: true
404 404 true
notice: A message left the lock "serves" behind. It has ended with the message. {"locks":["serves"]}
forgets: true
notice: A message left the lock "forgets" behind. It has ended with the message. {"locks":["forgets"]}
forgets: true
notice: A message left the lock "forgets" behind. It has ended with the message. {"locks":["forgets"]}
throws: true
notice: A message left the lock "throws" behind. It has ended with the message. {"locks":["throws"]}
throws: true
notice: A message left the lock "throws" behind. It has ended with the message. {"locks":["throws"]}
0, left: ["worker"]
1 kept by the store, of the last one
