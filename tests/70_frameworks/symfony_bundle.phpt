--TEST--
Symfony: the bundle gives named locks to who asks for them, by its recipe, and a killed process of any kind blocks nobody
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
$application = '<?php namespace App; const TOP = ' . var_export(dirname(__DIR__, 2), true) . ';' . <<<'CODE'
	require_once TOP . '/tests/inc/symfony.inc';
	require_once TOP . '/tests/inc/symfony_queue.inc';

	use RedisLock\Symfony\LockableTrait;
	use RedisLock\Symfony\RedisLockBundle;
	use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
	use Symfony\Component\Console\Attribute\AsCommand;
	use Symfony\Component\Console\Command\Command;
	use Symfony\Component\Console\Input\InputInterface;
	use Symfony\Component\Console\Output\OutputInterface;
	use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
	use Symfony\Component\HttpFoundation\Response;
	use Symfony\Component\Lock\LockFactory;
	use Symfony\Component\Messenger\Attribute\AsMessageHandler;
	use Symfony\Component\Messenger\MessageBusInterface;
	use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;
	use Symfony\Component\Scheduler\Attribute\AsSchedule;
	use Symfony\Component\Scheduler\RecurringMessage;
	use Symfony\Component\Scheduler\Schedule;
	use Symfony\Component\Scheduler\ScheduleProviderInterface;

	final class Tick
	{
		public function __construct(public string $from)
		{
		}
	}

	#[AsMessageHandler]
	final class Ticks
	{
		public function __invoke(Tick $tick): void
		{
			echo "tick of $tick->from\n";
		}
	}

	#[AsSchedule]
	final class Ticking implements ScheduleProviderInterface
	{
		public function __construct(private LockFactory $jobLockFactory)
		{
		}

		public function getSchedule(): Schedule
		{
			return (new Schedule)->add(RecurringMessage::every('1 second', new Tick(getenv('NAME') ?: '')))
				->lock($this->jobLockFactory->createLock('schedule'));
		}
	}

	#[AsCommand('app:report')]
	final class Report extends Command
	{
		use LockableTrait;

		protected function execute(InputInterface $input, OutputInterface $output): int
		{
			if (!$this->lock()) {
				$output->writeln('runs already');
				return self::FAILURE;
			}
			$output->writeln('works');
			fgets(STDIN);
			return self::SUCCESS;
		}
	}

	final class Locks
	{
		public static array $kept = [];

		public function __construct(public LockFactory $any, public LockFactory $jobLockFactory, public LockFactory $clientLockFactory,
			public \RedisLock\LockFactory $own, public MessageBusInterface $bus)
		{
		}
	}

	final class App extends \SymfonyApp
	{
		/** Ours first: the order must not count. */
		public function registerBundles(): iterable
		{
			yield new RedisLockBundle;
			yield new FrameworkBundle;
		}

		protected function configureContainer(ContainerConfigurator $container): void
		{
			$container->extension('framework', self::FRAMEWORK + ['lock' => 'flock', 'scheduler' => true, 'messenger' => [
				'transports' => ['async' => 'list://'], 'routing' => [Tick::class => 'async']]]);
			$container->import(TOP . '/packaging/symfony-recipe/config/packages/redislock.yaml');
			$container->extension('redislock', ['options' => ['label' => 'shop'],
				'locks' => ['client' => ['server' => 'app.redis', 'options' => ['prefix' => 'client:']]]]);
			$services = $container->services()->defaults()->autowire()->autoconfigure()->public();
			$services->set('app.redis', \Predis\Client::class)->args(['unix:' . getenv('SOCKET')]);
			$services->set('logger', \LockLog::class);
			$services->set('lists', \ListTransports::class);
			foreach ([Ticks::class, Ticking::class, Report::class, Locks::class] as $class) {
				$services->set($class);
			}
		}

		protected function configureRoutes(RoutingConfigurator $routes): void
		{
			$routes->add('take', '/take/{name}')->controller([$this, 'take']);
		}

		public function take(string $name): Response
		{
			$lock = Locks::$kept[] = $this->container->get(Locks::class)->jobLockFactory->createLock($name, 30, false);
			$taken = $lock->acquire();
			if (getenv('NAME')) {
				echo $taken ? "in the middle\n" : "refused\n";
				sleep(60);
			}
			return new Response(json_encode($taken));
		}
	}

	function console(App $app, array $arguments): int
	{
		$console = new \Symfony\Bundle\FrameworkBundle\Console\Application($app);
		$console->setAutoExit(false);
		return $console->run(new \Symfony\Component\Console\Input\ArrayInput($arguments));
	}
	CODE;
file_put_contents($file = symfony_folder() . '/App.php', $application);
require $file;

$server = new Server;
$redis = $server->client();
putenv("SOCKET=$server->socket");
putenv("REDISLOCK_DSN=unix:$server->socket");
$app = new App\App('prod', false);
$app->boot();
$locks = $app->getContainer()->get(App\Locks::class);
$process = fn (string $name, string $code) => new Php('putenv("NAME=' . $name . '"); require ' . var_export($file, true) .
	'; $app = new App\App("prod", false); ' . $code);
$killed = function (Php $process, string $key) use ($redis): void {
	$process->signal(SIGKILL);
	$at = now();
	wait_until(fn () => !$redis('EXISTS', $key));
	expect_between("\tfreed after", now() - $at, 0, 1);
};

echo "-- who asks gets them\n";
foreach (['any', 'jobLockFactory', 'clientLockFactory'] as $name) {
	$lock = $locks->$name->createLock($name, 20);
	$lock->acquire();
	$keys = $redis('KEYS', '*');
	echo $name, ': ', implode(' ', $keys), ' ', preg_replace('/^(rlk1):.*?(shop)?(:.*)?$/', '$1', $redis('GET', $keys[0])), ' ',
		json_encode([str_contains($redis('GET', $keys[0]), 'shop'), $redis('TTL', $keys[0]) > 15]), "\n";
	$lock->release();
}
echo get_class($locks->own), ' ', $locks->own->run('own', fn () => implode(' ', $redis('KEYS', '*'))), "\n";
$locks->bus->dispatch(new App\Tick('bus'), [new Symfony\Component\Messenger\Stamp\DeduplicateStamp('once', 60)]);
$locks->bus->dispatch(new App\Tick('bus'), [new Symfony\Component\Messenger\Stamp\DeduplicateStamp('once', 60)]);
echo 'deduplicated: ', $redis('LLEN', 'queue'), ' ', json_encode(str_starts_with($redis('GET', 'once'), 'rlk1:')), "\n";
echo App\console($app, ['messenger:consume', 'receivers' => ['async'], '--limit' => 1, '-q' => true]), ' ', $redis('EXISTS', 'once'), "\n";

echo "-- debug:autowiring\n";
ob_start();
$output = new Symfony\Component\Console\Output\BufferedOutput;
$console = new Symfony\Bundle\FrameworkBundle\Console\Application(new App\App('dev', true));
$console->setAutoExit(false);
$console->run(new Symfony\Component\Console\Input\ArrayInput(['debug:autowiring', 'search' => 'Lock']), $output);
ob_end_clean();
preg_match_all('/^ *(\S*LockFactory.*)$/m', $output->fetch(), $lines);
echo implode("\n", array_map(trim(...), $lines[1])), "\n";

echo "-- a request\n";
foreach ([1, 2] as $request) {
	echo $app->get('/take/left'), ' ', json_encode($redis('KEYS', '*')), "\n";
}
$request = $process('request', '$app->get("/take/killed");');
$request->await('in the middle');
$killed($request, 'killed');

echo "-- a command\n";
$command = '$_SERVER["argv"] = ["console"]; exit(App\console($app, ["app:report"]));';
$first = $process('first', $command);
$first->await('works');
$second = $process('second', $command);
echo "\t", $second->rest();
$killed($first, 'app:report');
$third = $process('third', $command);
$third->await('works');
$third->tell('go');
echo "\t", json_encode($third->end()), $redis('EXISTS', 'app:report'), "\n";

echo "-- a schedule\n";
$worker = '$_SERVER["argv"] = ["console"]; App\console($app, ["messenger:consume", "receivers" => ["scheduler_default"], "--sleep" => 0.05, "-q" => true]);';
$first = $process('first', $worker);
$first->await('tick of first');
$second = $process('second', $worker);
/* The lock outlives its messages. */
$first->await('tick of first');
echo "\tthe second worker ", $second->hasPrinted() ? 'printed' : 'is silent', ', ', implode(' ', $redis('KEYS', '*')), "\n";
$first->signal(SIGKILL);
$at = now();
$second->await('tick of second');
expect_between("\tgoes on after", now() - $at, 0, 3);
$second->signal(SIGKILL);

echo "-- tests: in memory\n";
$test = new App\App('test', false);
$test->boot();
$server->kill();
$locks = $test->getContainer()->get(App\Locks::class);
$lock = $locks->any->createLock('a');
echo json_encode([$lock->acquire(), $locks->jobLockFactory->createLock('a')->acquire()]), ' ', get_class($locks->own), "\n";
?>
--EXPECT--
-- who asks gets them
any: any rlk1 [true,true]
jobLockFactory: jobLockFactory rlk1 [true,true]
clientLockFactory: client:clientLockFactory rlk1 [true,true]
RedisLock\LockFactory own
deduplicated: 1 true
tick of bus
0 0
-- debug:autowiring
RedisLock\LockFactory - alias:redislock.locks
Symfony\Component\Lock\LockFactory - target:default - alias:redislock.default.factory
Symfony\Component\Lock\LockFactory $clientLockFactory - target:client - alias:redislock.client.factory
Symfony\Component\Lock\LockFactory $commandLockFactory - target:command - alias:redislock.command.factory
Symfony\Component\Lock\LockFactory $defaultLockFactory - target:default - alias:redislock.default.factory
Symfony\Component\Lock\LockFactory $jobLockFactory - target:job - alias:redislock.job.factory
-- a request
notice: A request left the lock "left" behind. It has ended with the request. {"locks":["left"]}
200 true []
notice: A request left the lock "left" behind. It has ended with the request. {"locks":["left"]}
200 true []
	freed after: ok
-- a command
	runs already
	freed after: ok
	{"exit":0}0
-- a schedule
	the second worker is silent, schedule
	goes on after: ok
-- tests: in memory
[true,false] RedisLock\Testing\ArrayLockFactory
