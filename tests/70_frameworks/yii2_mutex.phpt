--TEST--
Yii 2: the mutex component, with the keys of yii\redis\Mutex
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';
load_framework('yii2');

use RedisLock\Yii2\Mutex;

$server = new Server(true, '--requirepass', 'secret');
$redis = $server->client();
$redis('AUTH', 'secret');
$application = <<<'CODE'
	function application(int $port, array $mutex): RedisLock\Yii2\Mutex {
		new yii\console\Application(['id' => 'app', 'basePath' => sys_get_temp_dir(), 'components' => [
			'redis' => ['class' => yii\redis\Connection::class, 'hostname' => '127.0.0.1', 'port' => $port, 'password' => 'secret',
				'database' => 2, 'dataTimeout' => 5],
			'mutex' => ['class' => RedisLock\Yii2\Mutex::class] + $mutex]]);
		return Yii::$app->get('mutex');
	}
	CODE;
eval($application);
$stockKey = fn (string $name) => substr(md5('app'), 0, 5) . md5((string) json_encode(['yii\redis\Mutex', $name]));
$mutex = application($server->port, []);
$options = ['host' => '127.0.0.1', 'port' => $server->port, 'password' => 'secret', 'database' => 2];
$other = new Mutex(['redis' => $options, 'expire' => 20.5]);
$redis('SELECT', 2);

echo "-- taken once\n";
echo json_encode([$mutex->acquire('job'), $mutex->acquire('job'), $mutex->isAcquired('job'), $other->acquire('job'),
	$other->isAcquired('job'), $redis('TTL', $stockKey('job')) >= 29]), "\n";
echo "-- released by its owner only\n";
echo json_encode([$other->release('job'), $redis('EXISTS', $stockKey('job')), $mutex->release('job'), $mutex->release('job'),
	$mutex->isAcquired('job'), $redis('DBSIZE')]), "\n";
echo "-- several, and by another\n";
echo json_encode([$mutex->acquire('a'), $mutex->acquire('b'), $mutex->release('a'), $other->acquire('a'), $other->acquire('b'),
	$redis('PTTL', $stockKey('a')) > 20000, $mutex->release('b'), $other->release('a')]), "\n";
echo "-- many at a time, over few connections; and none are those of a fork\n";
$names = array_map(fn ($i) => "job $i", range(1, 30));
echo json_encode([array_unique(array_map($mutex->acquire(...), $names)),
	preg_match('/connected_clients:(\d+)/', $redis('INFO', 'clients'), $clients) && $clients[1] < 10]), "\n";
if (($pid = pcntl_fork()) === 0) {
	array_map($mutex->release(...), $names);
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
echo json_encode([$redis('DBSIZE'), array_unique(array_map($mutex->release(...), $names)), $redis('DBSIZE')]), "\n";
echo "-- expired, then released\n";
$short = new Mutex(['redis' => $options, 'expire' => 0.1]);
echo json_encode([$short->acquire('short'), wait_until(fn () => !$redis('EXISTS', $stockKey('short'))), $other->acquire('short'), $short->release('short'),
	$other->release('short')]), "\n";
echo "-- names\n";
$names = ['', "line\n\u{1F512}", str_repeat('n', 10_001), '0', '17'];
echo json_encode(array_map(fn ($name) => [$mutex->acquire($name), $redis('EXISTS', $stockKey($name)),
	$other->acquire($name), $mutex->release($name)], $names)), "\n";
echo json_encode([$mutex->acquire("\xff"), $mutex->acquire("\xfe"), $redis('EXISTS', $stockKey("\xfe")), $mutex->release("\xff")]), "\n";

echo "-- time limits\n";
$other->acquire('job');
foreach ([0, 1] as $timeout) {
	$started = now();
	echo json_encode($mutex->acquire('job', $timeout)), ' ';
	expect_taken("timeout $timeout", $started, $timeout, $timeout + 0.9);
}
$other->release('job');
echo json_encode([$redis('SET', $stockKey('job'), 'somebody', 'PX', 100), $mutex->acquire('job', PHP_INT_MAX), $mutex->release('job')]), "\n";
echo "-- a holder of Yii's own: we look every retryDelay\n";
$redis('SET', $stockKey('job'), 'abcdefghijklmnopqrst', 'NX', 'PX', 30000);
echo json_encode([$mutex->acquire('job'), $redis('PEXPIRE', $stockKey('job'), 150), $mutex->acquire('job', 5), $mutex->release('job')]), "\n";

$run = fn (string $mutex, string $code) => new Php('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . ';
	load_framework("yii2"); ' . $application . "\$mutex = application((int) \$argv[1], $mutex); $code", [(string) $server->port]);
echo "-- a waiter of another process is woken\n";
$waiter = $run('[]', 'while (fgets(STDIN)) { $mutex->acquire("job", 10); echo now(), "\n"; $mutex->release("job"); }');
expect_within('woken after', 0.02, function () use ($mutex, $waiter, $redis) {
	wait_until(fn () => $mutex->acquire('job'));
	$waiter->tell('wait');
	wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$released = now();
	$mutex->release('job');
	return taken($released, (float) $waiter->line());
});
echo "-- what a process leaves when it exits, and when it is killed\n";
foreach (['[]', '["autoRelease" => false]', '["processBound" => true]', '["processBound" => true, "autoRelease" => false]'] as $config) {
	echo $config;
	foreach (['exit;', 'fgets(STDIN);'] as $end) {
		$holder = $run($config, 'var_dump($mutex->acquire("left")); ' . $end);
		$holder->await('bool(true)');
		$holder->signal($end === 'exit;' ? 0 : SIGKILL);
		$holder->end();
		$free = comes_true_within(fn () => !$redis('EXISTS', $stockKey('left')), 0.3);
		echo $free ? ', free' : ', taken';
		$redis('DEL', $stockKey('left'));
	}
	echo "\n";
}

echo "-- configurations\n";
$redis('SELECT', 0);
foreach (['URI' => "redis://:secret@127.0.0.1:$server->port", 'options' => ['path' => $server->socket, 'password' => 'secret'],
	'a connection of Yii' => ['class' => 'yii\redis\Connection', 'unixSocket' => $server->socket, 'password' => 'secret', 'database' => 0],
	// As Yii decides: the socket wins, and `useSSL` says whether there is TLS.
	'a socket beside a host' => ['hostname' => 'elsewhere', 'port' => 1, 'unixSocket' => $server->socket, 'password' => 'secret'],
	'options of TLS alone' => ['class' => 'yii\redis\Connection', 'hostname' => '127.0.0.1', 'port' => $server->port, 'password' => 'secret',
		'contextOptions' => ['ssl' => ['verify_peer' => false]]],
	'misspelt' => ['pasword' => 'x'], 'nothing' => 0] as $name => $config) {
	try {
		$mutex = new Mutex(['redis' => $config, 'keyPrefix' => 'p:']);
		echo "$name: ", json_encode([$mutex->acquire('job'), $redis('KEYS', 'p:*')[0] === 'p:' . substr($stockKey('job'), 5),
			$mutex->release('job')]), "\n";
	} catch (ValueError | yii\base\InvalidConfigException $e) {
		echo "$name: ", get_class($e), "\n";
	}
}
foreach ([0, -1, '0', null, 'often', '20', 1e12, INF] as $expire) {
	try {
		$mutex = new Mutex(['redis' => $options, 'expire' => $expire, 'keyPrefix' => 'p:']);
		echo json_encode([$mutex->acquire('job'), $mutex->release('job')]), "\n";
	} catch (yii\base\InvalidConfigException $e) {
		echo $e->getMessage(), "\n";
	}
}
?>
--EXPECT--
-- taken once
[true,false,true,false,false,true]
-- released by its owner only
[false,1,true,false,false,0]
-- several, and by another
[true,true,true,true,false,true,true,true]
-- many at a time, over few connections; and none are those of a fork
[[true],true]
[30,[true],0]
-- expired, then released
[true,null,true,false,true]
-- names
[[true,1,false,true],[true,1,false,true],[true,1,false,true],[true,1,false,true],[true,1,false,true]]
[true,false,1,true]
-- time limits
false timeout 0: ok
false timeout 1: ok
["OK",true,true]
-- a holder of Yii's own: we look every retryDelay
[false,1,true,true]
-- a waiter of another process is woken
woken after: ok
-- what a process leaves when it exits, and when it is killed
[], free, taken
["autoRelease" => false], taken, taken
["processBound" => true], free, free
["processBound" => true, "autoRelease" => false], free, free
-- configurations
URI: [true,true,true]
options: [true,true,true]
a connection of Yii: [true,true,true]
a socket beside a host: [true,true,true]
options of TLS alone: [true,true,true]
misspelt: ValueError
nothing: yii\base\InvalidConfigException
"expire" must be a number of seconds above 0, not 0: no lock is to stay for ever.
"expire" must be a number of seconds above 0, not -1: no lock is to stay for ever.
"expire" must be a number of seconds above 0, not "0": no lock is to stay for ever.
"expire" must be a number of seconds above 0, not null: no lock is to stay for ever.
"expire" must be a number of seconds above 0, not "often": no lock is to stay for ever.
[true,true]
[true,true]
[true,true]
