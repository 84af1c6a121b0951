--TEST--
Adapters: a lease that was waited for has its whole ttl, or is not handed out
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/fake_server.inc';
load_framework('yii2');
load_framework('yii3');

use RedisLock\Adapter\Server as Adapter;

/* Nobody is left to read what became of an extension: Laravel and Symfony get the token alone, Yii asks nothing more. */
$not_taken = <<<'SCRIPT'
	EXPECT SET KEY * NX PX 60000
	SEND $-1
	EXPECT EVALSHA * 6 KEY {KEY}:rlk:waiters ...
	SEND *4\r\n:0\r\n:50000\r\n:1\r\n:0
	EXPECT BLPOP ...
	EXPECT SET KEY * NX PX 2000

	SCRIPT;
$taken = $not_taken . <<<'SCRIPT'
	SEND *2\r\n$1\r\ns\r\n$1\r\n1
	SEND +OK
	EXPECT EVAL * 1 KEY * 60000

	SCRIPT;
$again = 'EXPECT EVALSHA * 1 KEY * 60000';
$released = ['EXPECT EVALSHA * 3 KEY {KEY}:rlk:waiters {KEY}:rlk:signal *', 'SEND :1'];
$cases = [
	'answered' => [$again, 'SEND :1', 'SEND :1'],
	'connection broken' => ['CLOSE', $again, 'SEND :1'],
	'lost, and tried again' => ['CLOSE', $again, 'SEND :0', 'EXPECT SET KEY * NX PX 60000', 'SEND +OK'],
	'lost to somebody else' => ['CLOSE', $again, 'SEND :0', trim($not_taken), 'WAIT'],
	'no answer, so released' => ['NEXT', ...$released],
	'no server any more' => ['GONE', 'CLOSE'],
	'a signal handler throws' => [$again, 'SIGNAL ' . SIGUSR1, 'SEND :1', 'SEND :1', ...$released],
];
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => throw new DomainException('from a signal handler'));
$adapters = [
	'Laravel, Symfony' => ['job', fn ($options) => [$server = new Adapter($options),
		fn () => $server->acquire('job', ['ttl' => 60.0, 'token' => 'mine'], 1.0)]],
	'Yii 2' => [md5(json_encode(['yii\redis\Mutex', 'job'])), fn ($options) => [
		$mutex = new RedisLock\Yii2\Mutex(['redis' => $options, 'keyPrefix' => '', 'expire' => 60, 'autoRelease' => false]),
		fn () => $mutex->acquire('job', 1)]],
	'Yii 3' => [md5('Yiisoft\Mutex\Redis\RedisMutexjob'), fn ($options) => [
		$mutex = (new RedisLock\Yii3\MutexFactory($options, 60))->create('job'), fn () => $mutex->acquire(1)]],
];
foreach ($adapters as $adapter => [$key, $make]) {
	echo "-- $adapter\n";
	foreach ($cases as $case => $steps) {
		$fake = new FakeServer(str_replace('KEY', $key, $taken . implode("\n", $steps)));
		[$mutex, $acquire] = $make($fake->options(['persistent' => false, 'read_timeout' => 0.6, 'timeout' => 0.6]));
		echo "$case: ";
		try {
			echo json_encode($acquire());
		} catch (RedisLock\ConnectionException | DomainException $e) {
			echo strtok(str_replace($key, 'job', $e->getMessage()), '(');
		}
		unset($mutex, $acquire);
		end($steps) === 'WAIT' && $fake->tell();
		echo ', ', $fake->verdict();
	}
}

echo 'a signal handler throws, without a wait: ';
$fake = new FakeServer(implode("\n", ['EXPECT SET job mine NX PX 60000', 'SIGNAL ' . SIGUSR1, 'SEND +OK',
	...str_replace('KEY', 'job', $released)]));
try {
	(new Adapter($fake->options(['persistent' => false])))->acquire('job', ['ttl' => 60.0, 'token' => 'mine'], 0.0);
} catch (DomainException $e) {
	echo $e->getMessage(), ', ', $fake->verdict();
}

/* Where the server is slow, that is over before its answer, and an exception. */
$real = new Server;
for ($tries = 200, $token = 'trouble'; $token === 'trouble' && $tries > 0; $tries--) {
	try {
		$token = (new Adapter($real->options()))->acquire('job', ['ttl' => 0.001], INF);
	} catch (RedisLock\ConnectionException) {
	}
}
echo 'ends at once: ', $tries > 0 ? json_encode($token) : 'null', "\n";
?>
--EXPECT--
-- Laravel, Symfony
answered: "mine", played
connection broken: "mine", played
lost, and tried again: "mine", played
lost to somebody else: null, played
no answer, so released: lock "job": the server did not answer in time , played
no server any more: lock "job": cannot connect: Connection refused , played
a signal handler throws: from a signal handler, played
-- Yii 2
answered: true, played
connection broken: true, played
lost, and tried again: true, played
lost to somebody else: false, played
no answer, so released: lock "job": the server did not answer in time , played
no server any more: lock "job": cannot connect: Connection refused , played
a signal handler throws: from a signal handler, played
-- Yii 3
answered: true, played
connection broken: true, played
lost, and tried again: true, played
lost to somebody else: false, played
no answer, so released: lock "job": the server did not answer in time , played
no server any more: lock "job": cannot connect: Connection refused , played
a signal handler throws: from a signal handler, played
a signal handler throws, without a wait: from a signal handler, played
ends at once: null
