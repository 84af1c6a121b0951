--TEST--
keepAlive(): a longer one that is not answered shortens nothing, whenever it arrives
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../chaos/Proxy.php';

/* The extension to 30 s arrives when the one to 60 s has been confirmed. */
$story = function (RedisLock $lock, array $servers, array $proxies): void {
	$arrived = fn () => array_sum(array_map(fn ($server) => preg_match('/cmdstat_evalsha:calls=(\d+)|cmdstat_eval:calls=(\d+)/',
		$server->client()('INFO', 'COMMANDSTATS')) ? array_sum(array_map('intval', preg_match_all('/cmdstat_eval(?:sha)?:calls=(\d+)/',
		$server->client()('INFO', 'COMMANDSTATS'), $m) ? $m[1] : [])) : 0, $servers));
	wait_until(fn () => $lock->isHeld() || outcome(fn () => $lock->acquire()) === 'true');
	array_map(fn ($proxy) => $proxy->tell('delay 2500'), $proxies);
	$asked = $arrived();
	echo preg_replace('/:.*/', '', outcome(fn () => $lock->keepAlive(30))), ', held: ', json_encode($lock->isHeld()), "\n";
	array_map(fn ($proxy) => $proxy->tell('delay 0'), $proxies);
	wait_until(fn () => outcome(fn () => $lock->keepAlive(60)) === 'true');
	expect_between('relied upon', $lock->remaining(), 50, 60);
	wait_until(fn () => $arrived() >= $asked + 2 * count($proxies), 15);
	$left = array_map(fn ($server) => $server->client()('PTTL', 'job'), $servers);
	rsort($left);
	expect_between('on most servers', $left[intdiv(count($left), 2)], 45000, 60000);
	var_dump($lock->isHeld(), $lock->release());
};
$options = ['timeout' => 0.2, 'read_timeout' => 0.2];
foreach ([false, true] as $renew) {
	$server = new Server(true);
	$proxy = new Proxy($server->port);
	echo $renew ? "process-bound\n" : "a lease\n";
	$story(new RedisLock($options + ['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'job', 'ttl' => 20,
		'renew' => $renew]), [$server], [$proxy]);
}
$servers = servers(3);
$proxies = [new Proxy($servers[1]->port), new Proxy($servers[2]->port)];
echo "a quorum\n";
$story(new RedisLock(['servers' => [...addresses([$servers[0]], 0.2), ...array_map(fn ($proxy) => $options + ['host' => '127.0.0.1',
	'port' => $proxy->port], $proxies)], 'name' => 'job', 'ttl' => 20]), $servers, $proxies);
?>
--EXPECT--
a lease
RedisLock\ConnectionException, held: true
relied upon: ok
on most servers: ok
bool(true)
bool(true)
process-bound
RedisLock\ConnectionException, held: true
relied upon: ok
on most servers: ok
bool(true)
bool(true)
a quorum
RedisLock\ConnectionException, held: true
relied upon: ok
on most servers: ok
bool(true)
bool(true)
