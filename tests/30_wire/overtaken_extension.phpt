--TEST--
keepAlive(): a shorter one that arrives late does not end what a later one has confirmed
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../chaos/Proxy.php';

$server = new Server(true);
$redis = $server->client();
$proxy = new Proxy($server->port);
$lock = new RedisLock(['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'job', 'ttl' => 30, 'read_timeout' => 0.2]);
$try = function (callable $do): mixed {
	try {
		return $do();
	} catch (RedisLock\ConnectionException $e) {
		return strtok($e->getMessage(), '(');
	}
};
foreach (['keepAlive' => fn () => $lock->keepAlive(20), 'isAcquired' => fn () => $lock->isAcquired()] as $what => $confirm) {
	var_dump($lock->acquire() && $lock->keepAlive(30) && $lock->isAcquired());
	$redis('CONFIG', 'RESETSTAT');
	$proxy->tell('delay 1200');
	echo $try(fn () => $lock->keepAlive(5)), "\n";
	/* From here on others overtake it. */
	$proxy->tell('delay 0');
	echo $got = $try($confirm), "\n";
	while ($got !== true) {
		$got = $try($confirm);
	}
	/* By script, or by a command of the server's own. */
	wait_until(fn () => preg_match_all('/cmdstat_(?:evalsha|set):calls=(\d+)/', $redis('INFO', 'COMMANDSTATS'), $m) &&
		array_sum($m[1]) >= 2, 15);
	echo "$what: ", $redis('PTTL', 'job') >= $lock->remaining() * 1000 ? 'right' : 'believes too much', "\n";
	var_dump($lock->release());
}

echo "-- another object with its token\n";
$lock->acquire();
$proxy->tell('delay 1200');
echo $try(fn () => $lock->keepAlive(5)), "\n";
$proxy->tell('delay 0');
$options = ['host' => '127.0.0.1', 'port' => $proxy->port, 'read_timeout' => 0.2];
$restored = RedisLock::restore($options, 'job', $lock->getToken());
echo $try(fn () => $restored->keepAlive(20)), "\n";
while ($try(fn () => $restored->keepAlive(20)) !== true);
echo $redis('PTTL', 'job') >= $restored->remaining() * 1000 ? 'right' : 'believes too much', "\n";
var_dump($restored->release());

echo "-- process-bound: what is refused changes nothing\n";
$bound = new RedisLock($options + ['name' => 'job', 'ttl' => 30, 'renew' => true]);
$bound->acquire();
$proxy->tell('delay 1200');
echo $try(fn () => $bound->keepAlive(2)), "\n";
$proxy->tell('delay 0');
echo $try(fn () => $bound->keepAlive(60)), "\n";
var_dump($bound->isHeld(), $bound->remaining() <= 2);
while ($try(fn () => $bound->keepAlive(60)) !== true);
var_dump($redis('PTTL', 'job') > 50000, $bound->release());

echo "-- a quorum\n";
$servers = servers(3);
$proxies = [new Proxy($servers[1]->port), new Proxy($servers[2]->port)];
$lock = new RedisLock(['servers' => [...addresses([$servers[0]], 0.2), ...array_map(fn ($proxy) => ['host' => '127.0.0.1',
	'port' => $proxy->port, 'timeout' => 0.2, 'read_timeout' => 0.2], $proxies)], 'name' => 'job', 'ttl' => 30]);
var_dump($lock->acquire());
array_map(fn ($proxy) => $proxy->tell('delay 1200'), $proxies);
echo preg_replace('/:.*/', '', $try(fn () => $lock->keepAlive(2))), "\n";
array_map(fn ($proxy) => $proxy->tell('delay 0'), $proxies);
while ($try(fn () => $lock->keepAlive(30)) !== true);
echo count(array_filter($servers, fn ($server) => $server->client()('PTTL', 'job') > 20000)) >= 2 ? 'right' : 'believes too much', "\n";
var_dump($lock->release());
?>
--EXPECT--
bool(true)
lock "job": the server did not answer in time 
lock "job": an earlier request about this lock may still be under way, and would end it too soon 
keepAlive: right
bool(true)
bool(true)
lock "job": the server did not answer in time 
lock "job": an earlier request about this lock may still be under way, and would end it too soon 
isAcquired: right
bool(true)
-- another object with its token
lock "job": the server did not answer in time 
lock "job": an earlier request about this lock may still be under way, and would end it too soon 
right
bool(true)
-- process-bound: what is refused changes nothing
lock "job": the server did not answer in time 
lock "job": an earlier request about this lock may still be under way, and would end it too soon 
bool(true)
bool(true)
bool(true)
bool(true)
-- a quorum
bool(true)
lock "job"
right
bool(true)
