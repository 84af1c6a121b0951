--TEST--
Symfony: waiters are woken, keys travel to other processes, and a console command runs once
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;

$server = new Server;
$redis = $server->client();
$factory = new LockFactory(new RedisLockStore($server->options()));
$run = fn (string $code) => new Php('require ' . var_export(vendor_autoload(), true) . '; ' . <<<'CODE'
	use RedisLock\Symfony\RedisLockStore;
	use Symfony\Component\Lock\LockFactory;
	$factory = new LockFactory(new RedisLockStore("unix:$argv[1]"));
	CODE . $code, [$server->socket]);

echo "-- a waiter is woken by the release\n";
$waiter = $run(<<<'CODE'
	echo "ready\n";
	while (fgets(STDIN)) {
		$lock = $factory->createLock('job', 30);
		$_ = $lock->acquire(true);
		echo hrtime(true), "\n";
		fgets(STDIN);
		$lock->release();
		echo "released\n";
	}
	CODE);
$waiter->await('ready');
expect_within('woken after', 0.02, function () use ($factory, $waiter, $redis) {
	$lock = $factory->createLock('job', 20);
	$_ = $lock->acquire();
	$waiter->tell('wait');
	wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$released = now();
	$lock->release();
	$seconds = taken($released, $waiter->line() / 1e9);
	wait_until(fn () => $redis('TTL', 'job') > 25);
	$waiter->tell('release');
	$waiter->await('released');
	return $seconds;
});

echo "-- a lock whose process is killed lives until its ttl ends, which wakes\n";
$holder = $run('$lock = $factory->createLock("killed", 0.5); $_ = $lock->acquire(); echo "held\n"; sleep(60);');
$holder->await('held');
$holder->signal(SIGKILL);
$holder->end();
$lock = $factory->createLock('killed', 20);
$started = now();
var_dump($lock->acquire(), $lock->acquire(true));
expect_taken('waited', $started, 0, 0.8);

echo "-- a key taken here, put off and released there\n";
$key = new Key('message');
$lock = $factory->createLockFromKey($key, 30, false);
$_ = $lock->acquire();
$consumer = $run(<<<'CODE'
	$lock = $factory->createLockFromKey(unserialize(base64_decode(fgets(STDIN))), 60);
	var_dump($lock->isAcquired());
	$lock->refresh();
	fgets(STDIN);
	$lock->release();
	var_dump($lock->isAcquired());
	CODE);
$consumer->tell(base64_encode(serialize($key)));
$consumer->await('bool(true)');
wait_until(fn () => $redis('TTL', 'message') > 50);
var_dump($lock->isAcquired());
$consumer->tell('release');
echo $consumer->rest();
var_dump($lock->isAcquired(), $redis('EXISTS', 'message'));

echo "-- a console command whose lock lives as long as its process\n";
$command = fn () => $run(<<<'CODE'
	use RedisLock\Symfony\ProcessLockStore;
	use Symfony\Component\Console\Application;
	use Symfony\Component\Console\Attribute\AsCommand;
	use Symfony\Component\Console\Command\Command;
	use Symfony\Component\Console\Command\LockableTrait;

	#[AsCommand('report')]
	final class Report extends Command
	{
		use LockableTrait;

		public function __construct(string $server)
		{
			parent::__construct();
			$this->lockFactory = new LockFactory(new ProcessLockStore($server));
		}

		protected function execute($input, $output): int
		{
			if (!$this->lock()) {
				$output->writeln('runs already');
				return self::FAILURE;
			}
			$output->writeln('works');
			fgets(STDIN);
			$this->release();
			return self::SUCCESS;
		}
	}
	$application = new Application;
	$application->addCommands([new Report("unix:$argv[1]")]);
	$argv = $_SERVER['argv'] = ['console', 'report'];
	exit($application->run());
	CODE);
$first = $command();
$first->await('works');
$second = $command();
echo $second->rest(), json_encode($second->end()), $redis('TTL', 'report') > 290 ? ", ttl 300\n" : "\n";
$first->signal(SIGKILL);
$killed = now();
wait_until(fn () => !$redis('EXISTS', 'report'));
expect_taken('freed after', $killed, 0, 0.3);
$third = $command();
$third->await('works');
$third->tell('go');
echo json_encode($third->end()), $redis('EXISTS', 'report'), "\n";
?>
--EXPECT--
-- a waiter is woken by the release
woken after: ok
-- a lock whose process is killed lives until its ttl ends, which wakes
bool(false)
bool(true)
waited: ok
-- a key taken here, put off and released there
bool(true)
bool(false)
bool(false)
int(0)
-- a console command whose lock lives as long as its process
runs already
{"exit":1}, ttl 300
freed after: ok
{"exit":0}0
