<?php
/*
 * Amp: workers of one program want the same lock. Those that wait are suspended, and the event loop goes on.
 *
 * Try it twice at the same time: php amp.php & php amp.php
 */

use RedisLock\Async\KeyedMutex;
use RedisLock\Async\Revolt;

use function Amp\async;
use function Amp\delay;
use function Amp\Future\await;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

Revolt::install();
$mutex = new KeyedMutex(getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379');

$worker = function (int $number) use ($mutex): void {
	$lock = $mutex->acquire('report');
	delay(0.01); // other fibers run, but no other worker is here
	echo "worker $number has written its page\n";
	$lock->release();
};
await(array_map(fn (int $number) => async($worker, $number), [1, 2, 3]));
