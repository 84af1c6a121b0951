<?php
/*
 * The mutex component of Yii 2 with the extension. In an application only this component is new. It reads the component
 * "redis" by itself. Try it twice at the same time: php yii2.php & php yii2.php
 */

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';
if (!class_exists('Yii')) {
	require Composer\InstalledVersions::getInstallPath('yiisoft/yii2') . '/Yii.php';
}

new yii\console\Application([
	'id' => 'app',
	'basePath' => __DIR__,
	'components' => [
		'mutex' => [
			'class' => RedisLock\Yii2\Mutex::class, // was: yii\redis\Mutex::class
			'redis' => getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379',
			'processBound' => true, // locks live as long as the process, and no longer
		],
	],
]);
$mutex = Yii::$app->get('mutex');
assert($mutex instanceof yii\mutex\Mutex);

if (!$mutex->acquire('report', 10)) { // woken by the release, not asking every 50 ms
	echo "another process is at it\n";
	exit(75);
}
try {
	echo "writing the report\n";
	usleep((int) ((float) ($argv[1] ?? 2) * 1e6));
} finally {
	$mutex->release('report');
}
