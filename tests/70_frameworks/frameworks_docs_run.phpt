--TEST--
docs/guide, pages of clients and frameworks, adapters: the samples run
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); skip_unless_vendor('igbinary', 'redis'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/docs.inc';

$samples = new Samples('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . ';' . <<<'CODE'
	function held(string $key): string {
		return "$key is " . ((new Client('unix://' . SOCKET))('EXISTS', $key) ? 'held' : 'free') . "\n";
	}
	function held_by_us(): void {
		$redis = new Client('unix://' . SOCKET);
		$keys = $redis('KEYS', '*');
		sort($keys);
		foreach ($keys as $key) {
			$token = $redis('TYPE', $key) === 'string' ? $redis('GET', $key) : '';
			echo str_starts_with($token, 'rlk1:') ? "$key is held\n" : '';
		}
	}
	function report() { echo __FUNCTION__, ': ', held('lock:report'); }
	function withdraw() { held_by_us(); }
	function callApi() { echo __FUNCTION__, ': ', held('semaphore:slow-api'); }
	function client(): Redis {
		$redis = new Redis;
		$redis->connect(SOCKET, 0, 5, null, 0, 5);
		return $redis;
	}
	CODE, load('igbinary', 'redis'));
$client = '$redis = client(); $token = "mine";';
$clients = 'load_adapters(); $redis = client(); $clients = [$redis];';

$samples->run('docs/guide/coming-from.md', [
	'docs_run.phpt in 70_examples runs it', 'this one as well',
	[$clients, '$_ = $lock->acquire(); echo held("invoice-7");'],
]);
$samples->run('docs/guide/laravel.md', array_fill(0, 10, 'laravel_docs.phpt runs it'));
$symfony = 'require ' . var_export(vendor_autoload(), true) . '; $factory = new RedisLock\Symfony\TtlLockFactory(' .
	'new RedisLock\Symfony\ProcessLockStore("unix:" . SOCKET, true));';
$samples->run('docs/guide/symfony.md', [
	[$symfony, 'echo count($returned), "\n";'],
	[$symfony, 'var_dump((new Invoices($factory))->send(7)); echo held("invoice:7");'],
	[$symfony, '$factory = new RedisLock\Symfony\TtlLockFactory(new RedisLock\Symfony\ProcessLockStore("unix:" . SOCKET));
		echo (new Catalogue($factory))->read(), "\n", held("catalogue");'],
	[$symfony, 'echo held("semaphore:slow-api");'],
	[$symfony, '(new Reports(new class implements Symfony\Component\Messenger\MessageBusInterface {
		public function dispatch(object $message, array $stamps = []): Symfony\Component\Messenger\Envelope {
			echo get_class($stamps[0]), "\n";
			return new Symfony\Component\Messenger\Envelope($message);
		}
	}))->order(new stdClass);'],
	[$symfony, 'var_dump((new Nightly($factory))->getSchedule()->getLock()->acquire());'],
	[$symfony, '$command = new App\Command\ReportCommand; $command->setLockFactory($factory);
		$command->run(new Symfony\Component\Console\Input\ArrayInput([]), new Symfony\Component\Console\Output\NullOutput);
		echo held("app:report");'],
	[$symfony, 'echo $number, "\n"; echo held("invoice:7");'],
	'symfony_container.phpt runs it',
	'symfony_requests.phpt runs it',
]);
echo json_encode(str_contains(page('docs/guide/symfony.md'), file_get_contents(dirname(__DIR__, 2) . '/packaging/symfony-recipe/config/packages/redislock.yaml'))), "\n";
$samples->run('docs/guide/frameworks.md', [
	['load_framework("yii2");', <<<'CODE'
		new yii\console\Application(['id' => 'app', 'basePath' => sys_get_temp_dir()] + array_merge_recursive($returned,
			['components' => ['redis' => ['class' => yii\redis\Connection::class, 'unixSocket' => SOCKET], 'mutex' => ['keyPrefix' => 'app:']]]));
		var_dump(Yii::$app->get('mutex')->acquire('job'));
		held_by_us();
		CODE],
	['load_framework("yii2");', 'var_dump(is_subclass_of($returned["bootstrap"][1], yii\base\BootstrapInterface::class));'],
	['load_framework("yii3");', 'held_by_us();'],
	['load_adapters();', 'echo held("balance");'],
	['load_framework("php-lock");'],
	...array_fill(0, 4, 'more_docs.phpt runs it'),
]);
$samples->run('docs/guide/testing.md', [['load_adapters();', <<<'CODE'
	$locks = new RedisLock\Testing\ArrayLockFactory;
	(new NightlyReport($locks))->run();
	$_ = $locks->lock('nightly-report')->acquire();
	try {
		(new NightlyReport($locks))->run();
	} catch (RedisLock\NotAcquiredException) {
		echo "taken, in memory\n";
	}
	(new NightlyReport(new RedisLock\LockFactory))->run();
	echo "run, with a server\n";
	CODE]]);
$samples->run('docs/guide/observing.md', [
	['load_adapters();', 'echo substr_count(RedisLock\Observe\Prometheus::text(), "# TYPE"), " metrics\n";'],
	['require vendor_autoload(); load_adapters(); $logger = new Psr\Log\NullLogger;', '(new RedisLock(["name" => "a"]))->acquire(); echo "logged\n";'],
	['require vendor_autoload(); load_adapters();', '(new RedisLock(["name" => "a"]))->acquire(); echo "measured\n";'],
	'packages_observe.phpt does so',
]);
$samples->run('packages/lock/README.md', [
	['load_adapters(); $report = new class { function write() { echo "written: ", held("nightly-report"); } };', 'echo held("invoice:7"); $_ = $lock->acquire(); held_by_us();'],
	['load_adapters(); $locks = new RedisLock\LockFactory("unix:" . SOCKET); $transfer = new class { function book() { held_by_us(); } };', ''],
	'lock_factory_local.phpt runs it, in a directory of its own',
	'lock_factory_unavailable.phpt does so',
	[$clients, '$_ = $lock->acquire(); held_by_us();'],
]);
?>
--EXPECT--
-- docs/guide/coming-from.md, 3
invoice-7 is held
-- docs/guide/symfony.md, 1
2
-- docs/guide/symfony.md, 2
bool(true)
invoice:7 is free
-- docs/guide/symfony.md, 3
written
catalogue is free
-- docs/guide/symfony.md, 4
callApi: semaphore:slow-api is held
semaphore:slow-api is free
-- docs/guide/symfony.md, 5
Symfony\Component\Messenger\Stamp\DeduplicateStamp
-- docs/guide/symfony.md, 6
bool(true)
-- docs/guide/symfony.md, 7
app:report is free
-- docs/guide/symfony.md, 8
1
invoice:7 is free
true
-- docs/guide/frameworks.md, 1
bool(true)
app:29c05f0ed03bea4ca21f5b4491821f9d is held
-- docs/guide/frameworks.md, 2
bool(true)
-- docs/guide/frameworks.md, 3
0f8e5311e91f471cb60897f058dd220d is held
-- docs/guide/frameworks.md, 4
balance is free
-- docs/guide/frameworks.md, 5
php-malkusch-lock:balance is held
-- docs/guide/testing.md, 1
taken, in memory
run, with a server
-- docs/guide/observing.md, 1
# HELP redislock_acquired_total Locks that were acquired.
# TYPE redislock_acquired_total counter
# HELP redislock_refused_total Acquisitions that somebody else has refused by holding the lock.
# TYPE redislock_refused_total counter
# HELP redislock_lost_total Locks that turned out not to be ours any more.
# TYPE redislock_lost_total counter
# HELP redislock_released_total Releases that the server has confirmed.
# TYPE redislock_released_total counter
# HELP redislock_released_late_total Those of them after the validity was over.
# TYPE redislock_released_late_total counter
# HELP redislock_renewed_total Renewals that a server has confirmed.
# TYPE redislock_renewed_total counter
# HELP redislock_renewal_failures_total Renewals that failed.
# TYPE redislock_renewal_failures_total counter
# HELP redislock_reconnects_total Connections opened after the first of an object.
# TYPE redislock_reconnects_total counter
# HELP redislock_stale_total Connections found closed by the server.
# TYPE redislock_stale_total counter
# HELP redislock_wait_seconds Time of acquisitions that did not end with the first try.
# TYPE redislock_wait_seconds histogram
# HELP redislock_unavailable_total Acquisitions for which the server could not be asked.
# TYPE redislock_unavailable_total counter
11 metrics
-- docs/guide/observing.md, 2
logged
-- docs/guide/observing.md, 3
measured
-- packages/lock/README.md, 1
written: nightly-report is held
invoice:7 is free
invoice:7 is held
-- packages/lock/README.md, 2
account:7 is held
account:9 is held
-- packages/lock/README.md, 5
invoice:7 is held
