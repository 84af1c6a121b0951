--TEST--
Quorums, the option token: servers that have the key of an unanswered try count for the next one of the object
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../chaos/Proxy.php';

$servers = servers(3);
$proxies = [new Proxy($servers[1]->port), new Proxy($servers[2]->port)];
$params = ['servers' => [...addresses([$servers[0]], 0.3), ...array_map(fn ($proxy) => ['host' => '127.0.0.1', 'port' => $proxy->port,
	'timeout' => 0.3, 'read_timeout' => 0.3], $proxies)], 'name' => 'adopted', 'token' => RedisLock::newToken(), 'ttl' => 20];
$try = fn (RedisLock $lock) => preg_replace('/:.*/', '', outcome(fn () => $lock->acquire()));
$lock = new RedisLock($params);
/* Connected, and heard, before the answers are lost. */
wait_until(fn () => $lock->acquire() && $lock->release());

array_map(fn ($proxy) => $proxy->tell('swallow down'), $proxies);
echo $try($lock), "\n";
array_map(fn ($proxy) => $proxy->tell('pass'), $proxies);
echo '-- what was known to be taken is free again, the rest is left: ', wait_until(fn () => where($servers, 'adopted') === '.xx') ?
	'right' : where($servers, 'adopted'), "\n";
echo '-- to another object it is somebody\'s: ', $try(new RedisLock(['servers' => addresses($servers, 0.3)] + $params)), "\n";
wait_until(fn () => where($servers, 'adopted') === '.xx');
wait_until(fn () => $try($lock) === 'true');
echo where($servers, 'adopted', $lock->getToken()), "\n";
var_dump($lock->isHeld(), $lock->isAcquired(), min(array_map(fn ($server) => $server->client()('PTTL', 'adopted'), $servers)) > 14000);
var_dump($lock->release());
?>
--EXPECT--
RedisLock\ConnectionException
-- what was known to be taken is free again, the rest is left: right
-- to another object it is somebody's: false
xxx
bool(true)
bool(true)
bool(true)
bool(true)
