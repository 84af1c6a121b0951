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
require_once __DIR__ . '/../inc/timing.inc';
$application = '<?php namespace App; const TOP = ' . var_export(dirname(__DIR__, 2), true) . ';' . code_of(__DIR__ . '/symfony_bundle_app.inc');
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
	expect_taken("\tfreed after", $at, 0, 1);
};

echo "-- who asks gets them\n";
foreach (['any', 'jobLockFactory', 'clientLockFactory'] as $name) {
	$lock = $locks->$name->createLock($name, 20);
	$_ = $lock->acquire();
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
preg_match_all('/redislock\.[\w.]+/', $output->fetch(), $services);
sort($services[0]);
echo implode(' ', array_unique($services[0])), "\n";

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
expect_taken("\tgoes on after", $at, 0, 3);
$second->signal(SIGKILL);
wait_until(fn () => !$redis('EXISTS', 'schedule'));

echo "-- tests: in memory\n";
$test = new App\App('test', false);
$test->boot();
$server->kill();
$locks = $test->getContainer()->get(App\Locks::class);
$lock = $locks->any->createLock('a');
echo json_encode([$lock->acquire(), $locks->jobLockFactory->createLock('a')->acquire()]), ' ', get_class($locks->own), "\n";
/* Also one with a server of its own; and what has another prefix there has it here. */
$client = $locks->clientLockFactory->createLock('a');
echo json_encode([$client->acquire(), $locks->clientLockFactory->createLock('a')->acquire()]), "\n";

echo "-- what is configured in the wrong place\n";
foreach ([['redislock', ['server' => '', 'locks' => ['default' => null]]],
	['redislock', ['server' => 'redis://localhost', 'options' => ['servers' => ['a', 'b', 'c']], 'locks' => ['default' => null]]],
	['redislock', ['server' => ['servers' => ['a', 'b', 'c']], 'locks' => ['default' => null]]]] as $i => [$extension, $config]) {
	$wrong = new class("wrong$i", false, $extension, $config) extends SymfonyApp {
		public function __construct(string $environment, bool $debug, private string $of, private array $given)
		{
			parent::__construct($environment, $debug);
		}

		public function registerBundles(): iterable
		{
			yield new RedisLock\Symfony\RedisLockBundle;
			yield from parent::registerBundles();
		}

		protected function configureContainer(Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator $container): void
		{
			$container->extension('framework', self::FRAMEWORK);
			$container->extension($this->of, $this->given);
			$container->services()->alias('test.factory', 'redislock.' . (isset($this->given['locks']) ? 'default' : 'command') . '.factory')->public();
		}

		protected function configureRoutes(): void
		{
		}
	};
	try {
		$wrong->boot();
		echo get_class($wrong->getContainer()->get('test.factory')), "\n";
	} catch (Throwable $e) {
		echo get_class($e), ': ', $e->getMessage(), "\n";
	}
}
/* It would try to release until the ttl is over. */
array_map(fn (int $child) => posix_kill($child, SIGKILL), renewal_children(getmypid()));
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
redislock.client.factory redislock.command.factory redislock.default.factory redislock.job.factory redislock.locks
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
[true,false]
-- what is configured in the wrong place
ValueError: the URI must name a server, and names none; the default server is never used instead
ValueError: Option "servers" says which servers there are, so it stands in place of the DSN: "server: { servers: [...] }".
RedisLock\Symfony\TtlLockFactory
