--TEST--
docs/guide/frameworks.md, docs/guide/testing.md, adapters: the samples run
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); skip_unless_extension('igbinary', 'redis'); ?>
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
	function client(): Redis {
		$redis = new Redis;
		$redis->connect(SOCKET, 0, 5, null, 0, 5);
		return $redis;
	}
	CODE, load('igbinary', 'redis'));
$client = '$redis = client(); $token = "mine";';
$clients = 'load_adapters(); $redis = $redisA = client(); $redisB = new Redis; $redisB->connect("127.0.0.1", PORTS[1], 5, null, 0, 5);' .
	'$clients = [$redisA, $redisB];';

$samples->run('docs/guide/frameworks.md', [
	[$client, 'echo held("lock:report");'],
	['', 'echo held("lock:report");'],
	[$client, 'echo held("lock:report");'],
	['$lock = new RedisLock(["name" => "report", "prefix" => "lock:"]);', 'echo held("lock:report");'],
	[$client . '$redis->set("lock:report", $token, ["ex" => 5]);', 'var_dump($redis->ttl("lock:report") > 50);'],
	['$lock = new RedisLock(["name" => "other"]); $lock->acquire();', 'var_dump($lock->remaining() > 50);'],
	'signe/redlock-php is no package of our tests',
	[$clients, 'echo held("invoice-7"); var_dump($lock->getName());'],
	[$clients, 'var_dump(isset($redLock->lock("invoice-7", 10000)["token"])); echo held("app:invoice-7");'],
	'laravel_docs.phpt runs it',
	'symfony_container.phpt runs it',
	'symfony_requests.phpt runs it',
	['load_framework("yii2");', <<<'CODE'
		new yii\console\Application(['id' => 'app', 'basePath' => sys_get_temp_dir()] + array_merge_recursive($returned,
			['components' => ['redis' => ['class' => yii\redis\Connection::class, 'unixSocket' => SOCKET], 'mutex' => ['keyPrefix' => 'app:']]]));
		var_dump(Yii::$app->get('mutex')->acquire('job'));
		held_by_us();
		CODE],
	['load_framework("yii3");', 'held_by_us();'],
	['load_framework("php-lock");'],
]);
$samples->run('docs/guide/testing.md', [['load_adapters();', <<<'CODE'
	$locks = new RedisLock\Testing\ArrayLockFactory;
	(new NightlyReport($locks))->run();
	$locks->lock('nightly-report')->acquire();
	try {
		(new NightlyReport($locks))->run();
	} catch (RedisLock\NotAcquiredException) {
		echo "taken, in memory\n";
	}
	(new NightlyReport(new RedisLock\LockFactory))->run();
	echo "run, with a server\n";
	CODE]]);
$samples->run('adapters/README.md', [
	['load_adapters(); $report = new class { function write() { echo "written: ", held("nightly-report"); } };', 'echo held("invoice:7"); $lock->acquire(); held_by_us();'],
	[$clients, '$lock->acquire(); held_by_us();'],
]);
?>
--EXPECT--
-- docs/guide/frameworks.md, 1
report: lock:report is held
lock:report is free
-- docs/guide/frameworks.md, 2
report: lock:report is held
lock:report is free
-- docs/guide/frameworks.md, 3
lock:report is held
-- docs/guide/frameworks.md, 4
lock:report is held
-- docs/guide/frameworks.md, 5
bool(true)
-- docs/guide/frameworks.md, 6
report: lock:report is held
bool(true)
-- docs/guide/frameworks.md, 8
invoice-7 is held
string(9) "invoice-7"
-- docs/guide/frameworks.md, 9
bool(true)
app:invoice-7 is held
-- docs/guide/frameworks.md, 13
bool(true)
app:29c05f0ed03bea4ca21f5b4491821f9d is held
-- docs/guide/frameworks.md, 14
0f8e5311e91f471cb60897f058dd220d is held
-- docs/guide/frameworks.md, 15
php-malkusch-lock:balance is held
-- docs/guide/testing.md, 1
taken, in memory
run, with a server
-- adapters/README.md, 1
written: nightly-report is held
invoice:7 is free
invoice:7 is held
-- adapters/README.md, 2
invoice:7 is held
