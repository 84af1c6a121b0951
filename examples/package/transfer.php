<?php
/*
 * Several names as one lock: both accounts or none. Two transfers between the same accounts in opposite directions never wait
 * for each other, since the names are acquired in their order, whatever the order they are given in. Try it:
 *
 *     php transfer.php alice bob & php transfer.php bob alice
 */

use RedisLock\LockFactory;
use RedisLock\NotAcquiredException;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$from = $argv[1] ?? 'alice';
$to = $argv[2] ?? 'bob';
$seconds = (float) ($argv[3] ?? 2);

$locks = new LockFactory(getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379');
$accounts = $locks->all(["account:$from", "account:$to"], ['wait' => 10]); // 10 s for both together

try {
	$accounts->synchronized(function () use ($from, $to, $seconds): void {
		echo "from $from to $to\n";
		usleep((int) ($seconds * 1e6)); // if one of the locks is lost, an exception ends this
	});
	echo "booked\n";
} catch (NotAcquiredException $e) {
	echo $e->getMessage(), "\n"; // which of them somebody else has
	exit(75);
}
