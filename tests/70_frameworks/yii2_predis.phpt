--TEST--
Yii 2: the mutex component over a connection of Yii that is a client of Predis
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_framework('yii2');
require_once vendor_autoload();

use RedisLock\Yii2\Mutex;

new yii\console\Application(['id' => 'app', 'basePath' => sys_get_temp_dir(), 'components' => []]);
$server = new Server(true, '--requirepass', 'secret');
$redis = $server->client();
$redis('AUTH', 'secret');
$url = "tcp://127.0.0.1:$server->port";
$sentinels = ['parameters' => ['tcp://127.0.0.1:1'], 'options' => ['replication' => 'sentinel', 'service' => 'mymaster',
	'parameters' => ['password' => 'secret', 'database' => 10]]];
foreach ([
	'URI' => ['parameters' => "redis://:secret@127.0.0.1:$server->port/3"],
	'array' => ['parameters' => ['host' => '127.0.0.1', 'port' => $server->port],
		'options' => ['parameters' => ['password' => 'secret'], 'prefix' => 'app:']],
	'options of TLS in clear text' => ['parameters' => ['scheme' => 'tcp', 'host' => '127.0.0.1', 'port' => $server->port,
		'password' => 'secret', 'ssl' => ['verify_peer' => false]]],
	'sentinels' => $sentinels,
	'sentinels without a service' => array_replace_recursive($sentinels, ['options' => ['service' => null]]),
	'keys spread over servers' => ['parameters' => [$url, 'tcp://127.0.0.1:1'], 'options' => ['cluster' => 'predis']],
] as $name => $config) {
	try {
		$mutex = new Mutex(['redis' => ['class' => 'yii\redis\Predis\PredisConnection'] + $config, 'keyPrefix' => 'yii2_predis:']);
		$acquired = $mutex->acquire('job');
		$database = preg_match('/db(\d+):keys=1/', $redis('INFO', 'keyspace'), $found) ? $found[1] : 'none';
		$redis('SELECT', $database);
		$key = $redis('KEYS', '*')[0];
		echo "$name: ", json_encode([$acquired, $database, preg_replace('/[0-9a-f]{32}$/', '...', $key), $mutex->release('job')]), "\n";
	} catch (ValueError | RedisLock\ConnectionException $e) {
		echo "$name: ", get_class($e), ': ', preg_replace('/^.*(?=cannot connect|not valid: |is connected)/', '', $e->getMessage()), "\n";
	}
}
?>
--EXPECT--
URI: [true,"3","yii2_predis:...",true]
array: [true,"0","app:yii2_predis:...",true]
options of TLS in clear text: [true,"0","yii2_predis:...",true]
sentinels: RedisLock\ConnectionException: cannot connect: Connection refused (tcp://127.0.0.1:1)
sentinels without a service: ValueError: not valid: option "service" must name the master that the sentinels watch
keys spread over servers: ValueError: is connected by Predis\Connection\Cluster\PredisCluster, which does not tell its servers, or spreads keys over them by itself: give the options "sentinels" and "service", or the client of one server
