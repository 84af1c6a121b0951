<?php
/*
 * Symfony's Lock component with the extension. In an application the store is a service, because framework.lock.resources
 * has a fixed list of stores:
 *
 *     services:
 *         RedisLock\Symfony\RedisLockStore: { arguments: ['%env(REDIS_URL)%'] }
 *         Symfony\Component\Lock\LockFactory: { arguments: ['@RedisLock\Symfony\RedisLockStore'] }
 *
 * Try it twice at the same time: php symfony.php & php symfony.php
 */

use RedisLock\Symfony\ProcessLockStore;
use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;
use Symfony\Component\Lock\LockFactory;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$server = getenv('REDIS_URL') ?: 'redis://127.0.0.1:6379';
$seconds = (float) ($argv[1] ?? 2);

// Leases, as those of Symfony's RedisStore. acquire(true) does not poll: the release wakes it.
$leases = new LockFactory(new RedisLockStore($server));
$lock = $leases->createLock('payment:A-7', 30);
$lock->acquire(true);
echo "paying\n";
usleep((int) ($seconds * 1e6));
$lock->release();

// Locks that live as long as this process: renewed while it runs, free at once after kill -9.
$lock = (new LockFactory(new ProcessLockStore($server)))->createLock('report');
if ($lock->acquire()) {
	usleep((int) ($seconds * 1e6));
	$lock->release();
	echo "report written\n";
} else {
	echo "another process writes it\n";
}

// A key can be sent to another process, for example in a message of Messenger. The handler then has the lock, and releases it.
$key = new Key('import');
$leases->createLockFromKey($key, 300, false)->acquire(true);
$message = serialize($key);

$key = unserialize($message, ['allowed_classes' => [Key::class]]);
assert($key instanceof Key);
$lock = $leases->createLockFromKey($key, 300);
$lock->refresh(60);
echo 'the handler ', $lock->isAcquired() ? "has it\n" : "has lost it\n";
$lock->release();
