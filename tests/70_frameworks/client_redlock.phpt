--TEST--
Options::from(): RedLock takes the connected clients that signe/redlock-php takes
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/client_options.inc';
load_adapters();

use RedisLock\Options;

$servers = servers(3, true, '--requirepass', 'secret');
$clients = array_map(function (Server $server) {
	$redis = new Redis;
	$redis->connect('127.0.0.1', $server->port, 5, null, 0, 5);
	$redis->auth('secret');
	$redis->select(1);
	return $redis;
}, $servers);
$held = fn (string $key) => implode(' ', array_map(fn (Redis $redis) => $redis->exists($key), $clients));
$lock_on_all = fn (RedLock $red) => lock_on_all($red, $servers, 'job', 10000, fn () => $held('job') === '1 1 1');

$red = new RedLock(array_map(Options::from(...), $clients));
$lock = $lock_on_all($red);
echo $held('job'), ' ', json_encode($clients[0]->get('job') === $lock['token']), "\n";
echo json_encode((new RedLock(array_map(Options::from(...), $clients), 10, 1))->lock('job', 10000)), "\n";
echo json_encode($red->unlock($lock)), "\n";
wait_until(fn () => $held('job') === '0 0 0');
echo $held('job'), "\n";

echo "-- a client and what signe/redlock-php takes beside it\n";
$red = new RedLock([Options::from($clients[0]), ...addresses([$servers[1], $servers[2]])], options: ['password' => 'secret', 'database' => 1]);
$lock = $lock_on_all($red);
echo $held('job'), ' ', json_encode($red->unlock($lock)), "\n";

echo "-- the option \"servers\"\n";
$lock = new RedisLock(['servers' => array_map(Options::from(...), $clients), 'name' => 'task', 'renew' => true]);
echo json_encode([$lock->acquire(), $lock->release()]), "\n";

echo "-- prefixes stand beside the list\n";
foreach ($clients as $redis) {
	$redis->setOption(Redis::OPT_PREFIX, 'app:');
}
refused(fn () => new RedLock(array_map(Options::from(...), $clients)));
$red = new RedLock(array_map(fn ($client) => Options::from($client, ['prefix' => null]), $clients), options: ['prefix' => 'app:']);
$lock = $lock_on_all($red);
echo $held('job'), ' ', json_encode($red->unlock($lock)), "\n";

echo "-- not connected\n";
refused(fn () => new RedLock(array_map(Options::from(...), [$clients[0], $clients[1], new Redis])));
--EXPECT--
1 1 1 true
false
true
0 0 0
-- a client and what signe/redlock-php takes beside it
1 1 1 true
-- the option "servers"
[true,true]
-- prefixes stand beside the list
ValueError: RedisLock\RedLock::__construct(): Argument #1 ($servers) is not valid: option "prefix" must be given beside the list "servers", not in it
1 1 1 true
-- not connected
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that is not connected, so it does not tell its address: connect it first
