--TEST--
Laravel: connections of config/database.php lead to the server, database and key that Laravel's own locks have
--EXTENSIONS--
mbstring
ctype
tokenizer
--INI--
redislock.prefix=ini:
--SKIPIF--
<?php require __DIR__ . '/../inc/laravel.inc'; skip_unless_laravel(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/laravel.inc';

use Illuminate\Cache\RedisStore;
use Illuminate\Redis\RedisManager;
use RedisLock\Laravel\RedisLockStore;

$server = new Server(true, '--requirepass', 'p@ss:word');
$redis = $server->client();
$redis('AUTH', 'p@ss:word');
$redis('ACL', 'SETUSER', 'app', 'on', '>12345', '~*', '+@all');
$place = ['host' => '127.0.0.1', 'port' => (string) $server->port];
$open = $place + ['password' => 'p@ss:word'];
$url = "127.0.0.1:$server->port";

/* Each is the part "redis"; the connection is "locks". */
$configs = [
	'password' => ['locks' => $open + ['database' => '3']],
	'user' => ['locks' => $place + ['username' => 'app', 'password' => 12345, 'name' => 'worker']],
	'a name with a blank' => ['locks' => $open + ['name' => 'My App']],
	'options of TLS without its scheme' => ['locks' => $open + ['ssl' => ['verify_peer' => false]]],
	'options of TLS in the parameters' => ['locks' => $open, 'options' => ['parameters' => ['ssl' => ['verify_peer' => false]]]],
	'options of TLS in clear text' => ['locks' => $open + ['scheme' => 'tcp', 'ssl' => ['verify_peer' => false],
		'context' => ['stream' => ['verify_peer' => false]]]],
	'prefix of all' => ['locks' => $open, 'options' => ['cluster' => 'redis', 'prefix' => 'all_', 'persistent' => false]],
	'prefix of one' => ['locks' => $open + ['options' => ['prefix' => 'one_']], 'options' => ['prefix' => 'all_']],
	'prefix beside' => ['locks' => $open + ['prefix' => 'beside_', 'options' => ['prefix' => 'one_']]],
	'no prefix' => ['locks' => $open + ['prefix' => ''], 'options' => ['prefix' => 'all_']],
	'url' => ['locks' => ['url' => "redis://:p%40ss%3Aword@$url/2", 'host' => 'elsewhere', 'database' => '0']],
	'url alone' => ['locks' => "redis://app:12345@$url/1"],
	'tcp url' => ['locks' => ['url' => "tcp://$url?database=4", 'password' => 'p@ss:word']],
	'Predis parameters' => ['locks' => $place, 'options' => ['parameters' => ['password' => 'p@ss:word']]],
	'parameters by name' => ['locks' => $place, 'options' => ['parameters' => ['locks' => ['password' => 'p@ss:word'],
		'default' => ['password' => 'x']]]],
	'as it comes' => ['locks' => $open + ['url' => null, 'username' => null, 'max_retries' => 3,
		'backoff_algorithm' => 'decorrelated_jitter', 'backoff_base' => 100, 'backoff_cap' => 1000, 'read_timeout' => 60]],
];
foreach ($configs as $name => $config) {
	$databases = $config + ['client' => 'predis', 'default' => ['host' => 'elsewhere']];
	$manager = new RedisManager(null, 'predis', $databases);
	$stock = (new RedisStore($manager, 'cache_', 'default'))->setLockConnection('locks')->lock('name', 30);
	$ours = (new RedisLockStore($manager, $databases, 'cache_', 'default'))->setLockConnection('locks');
	$taken = [$stock->get(), $ours->lock('name')->get()];
	$key = $redis('EVAL', 'for db = 0, 15 do redis.call("SELECT", db) local keys = redis.call("KEYS", "*")
		if #keys > 0 then redis.call("SELECT", 0) return db .. " " .. keys[1] end end', 0);
	echo "$name: $key ", json_encode([...$taken, $ours->restoreLock('name', $stock->owner())->release()]), "\n";
}

/* Never connect to something else: what is not possible is refused. */
foreach (['none' => [], 'misspelt' => ['locks' => ['pasword' => 'x'] + $place],
	'no service' => ['locks' => ['tcp://127.0.0.1:26379', 'options' => ['replication' => 'sentinel']]]] as $name => $databases) {
	try {
		(new RedisLockStore(new RedisManager(null, 'predis', $databases), $databases, '', 'locks'))->lock('name');
		echo "$name was accepted\n";
	} catch (InvalidArgumentException | ValueError $e) {
		echo "$name: ", get_class($e), ': ', preg_replace('/^.*: /', '', $e->getMessage()), "\n";
	}
}
/* Dumps do not show the password. */
$store = new RedisLockStore($manager, ['locks' => $open], '', 'locks');
ob_start();
var_dump($store->lock('name'), $store->processLock('name'));
echo str_contains(ob_get_clean(), 'p@ss') ? "shown\n" : "not shown\n";
?>
--EXPECT--
password: 3 cache_name [true,false,true]
user: 0 cache_name [true,false,true]
a name with a blank: 0 cache_name [true,false,true]
options of TLS without its scheme: 0 cache_name [true,false,true]
options of TLS in the parameters: 0 cache_name [true,false,true]
options of TLS in clear text: 0 cache_name [true,false,true]
prefix of all: 0 all_cache_name [true,false,true]
prefix of one: 0 one_cache_name [true,false,true]
prefix beside: 0 beside_cache_name [true,false,true]
no prefix: 0 cache_name [true,false,true]
url: 2 cache_name [true,false,true]
url alone: 1 cache_name [true,false,true]
tcp url: 4 cache_name [true,false,true]
Predis parameters: 0 cache_name [true,false,true]
parameters by name: 0 cache_name [true,false,true]
as it comes: 0 cache_name [true,false,true]
none: InvalidArgumentException: Redis connection [locks] not configured.
misspelt: ValueError: unknown option "pasword", did you mean "password"?
no service: ValueError: option "service" must name the master that the sentinels watch
not shown
