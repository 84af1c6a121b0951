--TEST--
Quorums, the option token: after a try that most servers did not answer it is spent in this object
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
/* How long the try lasts whose answers are lost. The first server has to be heard by then. */
$limit = 1.5;
$params = ['servers' => [...addresses([$servers[0]]), ...array_map(fn ($proxy) => ['host' => '127.0.0.1', 'port' => $proxy->port,
	'timeout' => $limit, 'read_timeout' => $limit], $proxies)], 'name' => 'spent', 'token' => RedisLock::newToken(), 'ttl' => 60];
$try = fn (RedisLock $lock) => preg_replace('/:.*/', '', outcome(fn () => $lock->acquire()));
$lock = new RedisLock($params);
/* Connected, and heard, before the answers are lost. */
wait_until(fn () => $try($lock) === 'true' && $lock->release());

array_map(fn ($proxy) => $proxy->tell('swallow down'), $proxies);
echo $try($lock), "\n";
array_map(fn ($proxy) => $proxy->tell('pass'), $proxies);
echo '-- what was known to be taken is free again, the rest is left: ', comes_true(fn () => where($servers, 'spent') === '.xx') ?
	'right' : where($servers, 'spent'), "\n";
/* It gets no server: the release of one might come after the next try of the first object. */
$servers[0]->client()('SET', 'spent', 'of another program');
echo '-- to another object it is somebody\'s: ', $try(new RedisLock(['servers' => addresses($servers)] + $params)), "\n";
$servers[0]->client()('DEL', 'spent');
echo preg_replace('/for \d+/', 'for N', outcome(fn () => $lock->acquire())), "\n";
?>
--EXPECT--
RedisLock\ConnectionException
-- what was known to be taken is free again, the rest is left: right
-- to another object it is somebody's: false
RedisLock\ConnectionException: lock "spent": the token is spent for N ms: a request with it was not answered, and may still be executed
