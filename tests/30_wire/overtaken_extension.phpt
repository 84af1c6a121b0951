--TEST--
keepAlive(): a shorter one that is not answered is what is relied upon from then on, whatever later ones confirm
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/outcome.inc';
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
/* Where the machine stands still for longer than the time limit, what has to succeed is done again. */
$must = fn (callable $do): bool => comes_true(fn () => $try($do) === true) || exit("not to the end\n");
$acquire = fn (RedisLock $lock): bool => $must(fn () => $lock->isHeld() || $lock->acquire());
$release = fn (RedisLock $lock, array $on): bool => is_released($lock->release(...), fn () => !str_contains(where($on, 'job'), 'x'));
foreach (['keepAlive' => fn () => $lock->keepAlive(20), 'isAcquired' => fn () => $lock->isAcquired()] as $what => $confirm) {
	var_dump($acquire($lock) && $must(fn () => $lock->keepAlive(30)) && $must(fn () => $lock->isAcquired()));
	$redis('CONFIG', 'RESETSTAT');
	$proxy->tell('delay 2500');
	echo $try(fn () => $lock->keepAlive(10)), "\n";
	/* From here on others overtake it. */
	$proxy->tell('delay 0');
	var_dump($must($confirm), $lock->remaining() <= 10);
	/* By script, or by a command of the server's own. */
	wait_until(fn () => preg_match_all('/cmdstat_(?:evalsha|set):calls=(\d+)/', $redis('INFO', 'COMMANDSTATS'), $m) &&
		array_sum($m[1]) >= 2, 15);
	echo "$what: ", $redis('PTTL', 'job') >= $lock->remaining() * 1000 ? 'right' : 'believes too much', "\n";
	var_dump($release($lock, [$server]));
}

$options = ['host' => '127.0.0.1', 'port' => $proxy->port, 'read_timeout' => 0.2];
echo "-- process-bound\n";
$bound = new RedisLock($options + ['name' => 'job', 'ttl' => 30, 'renew' => true]);
$acquire($bound);
$proxy->tell('delay 2500');
echo $try(fn () => $bound->keepAlive(10)), "\n";
$proxy->tell('delay 0');
var_dump($must(fn () => $bound->keepAlive(60)), $bound->isHeld(), $bound->remaining() <= 10, $redis('PTTL', 'job') > 50000);
/* The child relies upon no more, and renews as often as that takes. */
wait_until(fn () => $redis('PTTL', 'job') <= 10000, 10);
var_dump(comes_true(fn () => !$bound->isHeld() || $redis('PTTL', 'job') > 9500, 10), $bound->isHeld(), $release($bound, [$server]));

echo "-- a quorum\n";
$servers = servers(3);
$proxies = [new Proxy($servers[1]->port), new Proxy($servers[2]->port)];
$lock = new RedisLock(['servers' => [...addresses([$servers[0]], 0.2), ...array_map(fn ($proxy) => ['host' => '127.0.0.1',
	'port' => $proxy->port, 'timeout' => 0.2, 'read_timeout' => 0.2], $proxies)], 'name' => 'job', 'ttl' => 30]);
var_dump($acquire($lock));
array_map(fn ($proxy) => $proxy->tell('delay 2500'), $proxies);
echo preg_replace('/:.*/', '', $try(fn () => $lock->keepAlive(10))), "\n";
array_map(fn ($proxy) => $proxy->tell('delay 0'), $proxies);
$must(fn () => $lock->keepAlive(30));
echo count(array_filter($servers, fn ($server) => $server->client()('PTTL', 'job') > 20000)) >= 2 ? 'right' : 'believes too much', "\n";
var_dump($release($lock, $servers));
?>
--EXPECT--
bool(true)
lock "job": the server did not answer in time 
bool(true)
bool(true)
keepAlive: right
bool(true)
bool(true)
lock "job": the server did not answer in time 
bool(true)
bool(true)
isAcquired: right
bool(true)
-- process-bound
lock "job": the server did not answer in time 
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
-- a quorum
bool(true)
lock "job"
right
bool(true)
