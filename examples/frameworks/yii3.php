<?php
/*
 * A mutex of Yii 3 on the extension. Where there is a container, it makes Yiisoft\Mutex\MutexFactoryInterface this factory.
 * Try it twice at once: php yii3.php & php yii3.php
 */

use RedisLock\Yii3\MutexFactory;
use Yiisoft\Mutex\Exception\MutexLockedException;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$factory = new MutexFactory(getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379', processBound: true);
try {
	$mutex = $factory->createAndAcquire('report', 10);
} catch (MutexLockedException) {
	echo "another process is at it\n";
	exit(75);
}
echo "writing the report\n";
usleep((int) ((float) ($argv[1] ?? 2) * 1e6));
$mutex->release();
