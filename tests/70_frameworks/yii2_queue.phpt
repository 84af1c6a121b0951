--TEST--
Yii 2: what a job of yii2-queue leaves behind ends with it, so its next attempt has the lock, and the log names it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_framework('yii2');
if (!class_exists(yii\queue\Queue::class)) {
	die("yii2-queue is not there\n");
}

use RedisLock\Yii2\Mutex;
use RedisLock\Yii2\QueueListener;

final class Job implements yii\queue\JobInterface
{
	public function __construct(private Closure $code)
	{
	}

	public function execute($queue)
	{
		($this->code)();
	}
}

$server = new Server;
$redis = $server->client();
new yii\console\Application(['id' => 'app', 'basePath' => sys_get_temp_dir(), 'components' => []]);
$mutex = new Mutex(['redis' => "unix:$server->socket", 'keyPrefix' => 'app:', 'processBound' => true]);
$lease = new Mutex(['redis' => "unix:$server->socket", 'keyPrefix' => 'app:']);
(new QueueListener)->bootstrap(Yii::$app);
$queue = new yii\queue\Queue(['attempts' => 3]);
$tell = function () use ($redis): void {
	echo "\tkeys: ", count($redis('KEYS', '*')), "\n";
	foreach (Yii::$warnings as $warning) {
		echo "\t", preg_replace('/app:\w{32}/', 'app:...', $warning), "\n";
	}
	Yii::$warnings = [];
};

echo 'the worker has ', json_encode($mutex->acquire('worker')), "\n";
echo "a job that throws\n";
$queue->run(new Job(function () use ($mutex) {
	static $attempt = 0;
	echo 'attempt ', ++$attempt, ': ', json_encode([$mutex->acquire('report'), $mutex->acquire('mail')]), "\n";
	if ($attempt < 3) {
		throw new RuntimeException('no');
	}
	$mutex->release('report');
	$mutex->release('mail');
}));
$tell();
echo "a job that forgets\n";
foreach ([1, 2] as $job) {
	$queue->run(new Job(function () use ($mutex, $lease) {
		echo json_encode([$mutex->acquire('report'), $mutex->isAcquired('report'), $lease->acquire('lease')]), "\n";
	}));
	echo json_encode([$mutex->isAcquired('report'), $mutex->release('report')]), "\n";
}
$tell();
echo json_encode([$mutex->isAcquired('worker'), $mutex->release('worker'), $lease->release('lease'), $redis('DBSIZE')]), "\n";
?>
--EXPECT--
the worker has true
a job that throws
attempt 1: [true,true]
attempt 2: [true,true]
attempt 3: [true,true]
	keys: 1
	redislock: A job left the locks "app:...", "app:..." behind. They have ended with the job.
	redislock: A job left the locks "app:...", "app:..." behind. They have ended with the job.
a job that forgets
[true,true,true]
[false,false]
[true,true,false]
[false,false]
	keys: 2
	redislock: A job left the lock "app:..." behind. It has ended with the job.
	redislock: A job left the lock "app:..." behind. It has ended with the job.
[true,true,true,0]
