--TEST--
Quorums, the option token: what an object that is gone has under way frees what a later one with the same token got on no other server
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../chaos/Proxy.php';

$servers = servers(3);
$proxy = new Proxy($servers[2]->port);
$addresses = addresses($servers);
$addresses[2]['port'] = $proxy->port;
$params = ['servers' => $addresses, 'name' => 'gone', 'token' => RedisLock::newToken(), 'ttl' => 20];
$third = $servers[2]->client();

$lock = new RedisLock($params);
var_dump($lock->acquire(), comes_true(fn () => where($servers, 'gone') === 'xxx'));
/* The release reaches two of them. */
$proxy->tell('delay 4000');
var_dump($lock->release());
unset($lock);
pause(1.1, 'more than a second later, and before it arrives');
$proxy->tell('delay 0'); /* from here on others overtake what was sent */
$third('DEL', 'gone');
$lock = new RedisLock($params);
var_dump($lock->acquire());
/* Of what only a proxy still has nobody knows. */
wait_until(fn () => substr_count($third('CLIENT', 'LIST'), ' addr=') <= 2);
echo substr(where($servers, 'gone', $lock->getToken()), 0, 2), "\n";
var_dump($lock->release());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
xx
bool(true)
