--TEST--
Tokens: ours, the caller's, and no two alike
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$host = preg_replace_callback('/[^A-Za-z0-9._-]/', fn ($m) => '%' . bin2hex($m[0]), substr(gethostname(), 0, 64));
$format = '/^rlk1:' . preg_quote($host) . ':' . getmypid() . ':%s:[0-9a-f]{32}$/D';
var_dump(preg_match(sprintf($format, ''), RedisLock::newToken()));
var_dump(preg_match(sprintf($format, 'a%20b%3ac%ff'), RedisLock::newToken("a b:c\xff")));
var_dump(strlen(RedisLock::newToken(str_repeat(':', 64))) < 512);
for ($i = 0; $i < 2000; $i++) {
	$tokens[RedisLock::newToken()] = true;
}
var_dump(count($tokens));

/* Fresh for every acquisition. */
$lock = new RedisLock($server->options(['name' => 'token', 'label' => 'me']));
$lock->acquire();
$first = $lock->getToken();
$lock->release();
$lock->acquire();
var_dump($first !== $lock->getToken(), preg_match(sprintf($format, 'me'), $first));
$lock->release();

/* Given: as it is, every time; alone it holds nothing. */
$given = "my\0own\r\n\xfftoken";
$lock = new RedisLock($server->options(['name' => 'token', 'token' => $given, 'label' => 'unused']));
var_dump($lock->getToken(), $lock->isAcquired(), $lock->acquire(), $redis('GET', 'token') === $given,
	$lock->isAcquired());
var_dump($lock->release(), $lock->acquire(), $lock->getToken() === $given, $lock->keepAlive());
var_dump((new RedisLock($server->options(['name' => 'token', 'token' => $given])))->acquire());
?>
--EXPECT--
int(1)
int(1)
bool(true)
int(2000)
bool(true)
int(1)
NULL
bool(false)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(false)
