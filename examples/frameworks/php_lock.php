<?php
/*
 * A mutex of php-lock with the extension. The code may take as long as it needs, and the lock is free at once when the
 * process is killed. Try it twice at the same time: php php_lock.php & php php_lock.php
 */

use Malkusch\Lock\Exception\LockAcquireTimeoutException;
use RedisLock\PhpLock\RedisLockMutex;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$mutex = new RedisLockMutex('balance', getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379', acquireTimeout: 10);
$balance = (int) ($argv[2] ?? 100);
$amount = 30;
$seconds = (float) ($argv[1] ?? 2);

try {
	$left = $mutex->check(fn (): bool => $balance >= $amount)->then(function () use (&$balance, $amount, $seconds): int {
		usleep((int) ($seconds * 1e6));
		return $balance -= $amount;
	});
	echo $left === false ? "too little\n" : "$left left\n";
} catch (LockAcquireTimeoutException $e) {
	echo $e->getMessage(), "\n";
	exit(75);
}
