--TEST--
Yii 3: mutexes, with the keys of Yiisoft\Mutex\Redis\RedisMutex
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
load_framework('yii3');

use RedisLock\Yii3\MutexFactory;
use Yiisoft\Mutex\Exception\MutexLockedException;
use Yiisoft\Mutex\Exception\MutexReleaseException;

$server = new Server;
$redis = $server->client();
$stockKey = fn (string $name) => md5('Yiisoft\Mutex\Redis\RedisMutex' . $name);
$factory = new MutexFactory($server->options());
$other = new Php('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . '; load_framework("yii3");
	$factory = new RedisLock\Yii3\MutexFactory("unix:$argv[1]", 30, (bool) $argv[2]);
	while ($line = fgets(STDIN)) { echo json_encode(eval($line)), "\n"; }', [$server->socket, '']);
$ask = function (string $code) use ($other): string {
	$other->tell($code);
	return $other->line();
};

$mutex = $factory->create('job');
echo json_encode([$mutex->acquire(), $mutex->acquire(), $factory->create('job')->acquire(), $redis('TTL', $stockKey('job')) >= 29]),
	' ', $ask('return $factory->create("job")->acquire();'), "\n";
$factory->create('job')->release();
echo $ask('$factory->create("job")->release(); return "not theirs";'), $redis('EXISTS', $stockKey('job')), "\n";
$mutex->release();
$mutex->release();
echo $redis('EXISTS', $stockKey('job')), "\n";
echo $ask('return ($mutex = $factory->create("job"))->acquire();'), $redis('EXISTS', $stockKey('job')), "\n";
try {
	$factory->createAndAcquire('job');
} catch (MutexLockedException $e) {
	echo $e->getMessage(), "\n";
}
$started = now();
echo json_encode($mutex->acquire(1)), ' ';
expect_taken('timeout 1', $started, 1, 1.9);

$redis('SET', $stockKey('ever'), 'somebody', 'PX', 100);
echo json_encode($factory->create('ever')->acquire(PHP_INT_MAX)), "\n";

echo "-- waits, and is woken\n";
expect_within('woken after', 0.02, function () use ($factory, $other, $redis) {
	$held = $factory->createAndAcquire('wait');
	$other->tell('$factory->createAndAcquire("wait", 5)->release(); return now();');
	wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
	$released = now();
	$held->release();
	return taken($released, (float) $other->line());
});

echo "-- expired, lost, and destroyed\n";
$short = (new MutexFactory($server->options(), 0.1))->createAndAcquire('short');
wait_until(fn () => !$redis('EXISTS', $stockKey('short')));
$taken = (new MutexFactory($server->options(), 0.1))->createAndAcquire('taken');
wait_until(fn () => !$redis('EXISTS', $stockKey('taken')));
$by_another = $factory->createAndAcquire('taken');
$lost = $factory->createAndAcquire('lost');
$redis('DEL', $stockKey('lost'));
foreach ([$short, $taken, $lost] as $mutex) {
	if (($pid = pcntl_fork()) === 0) {
		$mutex->release(); /* silent: not that process's */
		posix_kill(getmypid(), SIGKILL);
	}
	pcntl_waitpid($pid, $status);
	try {
		$mutex->release();
	} catch (MutexReleaseException $e) {
		echo $e->getMessage(), "\n";
	}
	$mutex->release();
}
$by_another->release();
$redis('SET', $stockKey('lost'), 'x');
$destroyed = $factory->createAndAcquire('destroyed');
$keys = $redis('EXISTS', $stockKey('destroyed'));
unset($destroyed);
echo $keys, $redis('EXISTS', $stockKey('destroyed')), "\n";

echo "-- a fork's end frees nothing\n";
$mutex = $factory->createAndAcquire('forked');
if (($pid = pcntl_fork()) === 0) {
	$mutex = null;
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
echo $redis('EXISTS', $stockKey('forked')), "\n";
$mutex->release();
echo $redis('EXISTS', $stockKey('forked')), "\n";

echo "-- bound to its process\n";
foreach (['', '1'] as $bound) {
	$holder = new Php('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . '; load_framework("yii3");
		$mutex = (new RedisLock\Yii3\MutexFactory("unix:$argv[1]", 30, (bool) $argv[2]))->createAndAcquire("left");
		echo "held\n"; fgets(STDIN);', [$server->socket, $bound]);
	$holder->await('held');
	$holder->signal(SIGKILL);
	$holder->end();
	echo comes_true_within(fn () => !$redis('EXISTS', $stockKey('left')), 0.3) ? 'free' : 'taken', "\n";
	$redis('DEL', $stockKey('left'));
}
foreach (["\xff\x00", str_repeat('n', 10_001)] as $name) {
	$mutex = $factory->createAndAcquire($name);
	echo $redis('EXISTS', $stockKey($name));
	$mutex->release();
	echo $redis('EXISTS', $stockKey($name)), "\n";
}
echo "-- how often it looks while old code has it\n";
$redis('SET', $stockKey('old'), 'somebody');
$mutex = $factory->create('old');
$looks = function (RedisLock\Yii3\Mutex $mutex) use ($redis): int {
	$redis('CONFIG', 'RESETSTAT');
	$mutex->acquire(1);
	return preg_match('/total_commands_processed:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
};
expect_between('more often', $looks($mutex->withRetryDelay(5)) / $looks($mutex), 2, 1000);
$redis('DEL', $stockKey('old'));
echo json_encode([$mutex->acquire(), $mutex->withRetryDelay(1)->acquire()]);
$mutex->release();
echo json_encode([$redis('EXISTS', $stockKey('old')), $bound = (new MutexFactory($server->options(), 30, true))->create('old')->withRetryDelay(1),
	$bound->acquire()]), "\n";
unset($bound);
foreach ([0, -1] as $delay) {
	try {
		$mutex->withRetryDelay($delay);
	} catch (InvalidArgumentException $e) {
		echo $e->getMessage(), "\n";
	}
}
foreach ([0.0, -1.5, 1e12, INF] as $ttl) {
	try {
		(new MutexFactory($server->options(), $ttl))->createAndAcquire('ttl')->release();
		echo "$ttl\n";
	} catch (InvalidArgumentException $e) {
		echo $e->getMessage(), "\n";
	}
}
?>
--EXPECT--
[true,false,false,true] false
"not theirs"1
0
true1
Unable to acquire the "job" mutex.
false timeout 1: ok
true
-- waits, and is woken
woken after: ok
-- expired, lost, and destroyed
Unable to release the "short" mutex: it was lost.
Unable to release the "taken" mutex: it was lost.
Unable to release the "lost" mutex: it was lost.
10
-- a fork's end frees nothing
1
0
-- bound to its process
taken
free
10
10
-- how often it looks while old code has it
more often: ok
[true,false][0,{},true]
The retry delay must be at least 1 ms, not 0.
The retry delay must be at least 1 ms, not -1.
The ttl must be above 0 seconds, not 0: no mutex is to stay for ever.
The ttl must be above 0 seconds, not -1.5: no mutex is to stay for ever.
1000000000000
INF
