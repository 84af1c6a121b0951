--TEST--
php-lock: a mutex whose lock lives as long as its process, with the keys of php-lock's RedisMutex
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_framework('php-lock');

use Malkusch\Lock\Exception\LockAcquireException;
use Malkusch\Lock\Exception\LockAcquireTimeoutException;
use Malkusch\Lock\Exception\LockReleaseException;
use RedisLock\PhpLock\RedisLockMutex;

$server = new Server;
$redis = $server->client();
$key = 'php-malkusch-lock:job';
$mutex = new RedisLockMutex('job', $server->options(), 0.2);

echo "-- synchronized\n";
echo json_encode([$mutex->synchronized(fn () => [$redis('TTL', $key) >= 29, 'result']), $redis('EXISTS', $key)]), "\n";
try {
	$mutex->synchronized(fn () => throw new DomainException('business'));
} catch (DomainException $e) {
	echo $e->getMessage(), $redis('EXISTS', $key), "\n";
}
$stock = 0;
echo json_encode([$mutex->check(fn () => $stock > 0)->then(fn () => $stock--), $mutex->check(fn () => true)->then(fn () => 'done')]), "\n";

echo "-- somebody has it: php-lock's own\n";
$redis('SET', $key, str_repeat('a', 64), 'PX', 30000);
$started = now();
try {
	$mutex->synchronized(fn () => print "must not run\n");
} catch (LockAcquireTimeoutException $e) {
	expect_between('waited', now() - $started, 0.19, 0.7);
}
$redis('PEXPIRE', $key, 100);
echo (new RedisLockMutex('job', "unix:$server->socket", INF))->synchronized(fn () => "waited for\n");

echo "-- lost while the code runs\n";
$brief = new RedisLockMutex('job', $server->options(), 3, 0.3);
try {
	$brief->synchronized(function () use ($redis, $key) {
		$redis('DEL', $key);
		for ($end = now() + 10; now() < $end;);
	});
} catch (LockReleaseException $e) {
	echo get_class($e->getCodeException()), "\n";
}
/* The code has ended before anybody noticed: its result is there. */
try {
	$mutex->synchronized(fn () => $redis('DEL', $key) ? 'result' : null);
} catch (LockReleaseException $e) {
	echo $e->getMessage(), ', ', $e->getCodeResult(), "\n";
}

echo "-- a killed process\n";
$holder = new Php('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . '; load_framework("php-lock");
	(new RedisLock\PhpLock\RedisLockMutex("job", "unix:$argv[1]"))->synchronized(function () { echo "held\n"; fgets(STDIN); });',
	[$server->socket]);
$holder->await('held');
$holder->signal(SIGKILL);
$killed = now();
echo (new RedisLockMutex('job', $server->options(), 10))->synchronized(fn () => "free\n");
expect_between('after', now() - $killed, 0, 1);

echo "-- trouble with the server\n";
foreach ([LockReleaseException::class => fn () => $mutex->synchronized(fn () => $server->kill()),
	LockAcquireException::class => fn () => $mutex->synchronized(fn () => print "must not run\n")] as $expected => $code) {
	try {
		$code();
	} catch (Malkusch\Lock\Exception\MutexException $e) {
		echo json_encode(get_class($e) === $expected), ' < ', get_class($e->getPrevious()), "\n";
	}
}
?>
--EXPECT--
-- synchronized
[[true,"result"],0]
business0
[false,"done"]
-- somebody has it: php-lock's own
waited: ok
waited for
-- lost while the code runs
RedisLock\LockLostException
The lock php-malkusch-lock:job[30] was lost before the code had ended, result
-- a killed process
free
after: ok
-- trouble with the server
true < RedisLock\ConnectionException
true < RedisLock\ConnectionException
