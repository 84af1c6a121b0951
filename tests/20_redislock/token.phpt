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
step('fresh ones are of the format', preg_match(sprintf($format, ''), RedisLock::newToken()));
step('with a label', preg_match(sprintf($format, 'a%20b%3ac%ff'), RedisLock::newToken("a b:c\xff")));
step('of the longest label, short enough', strlen(RedisLock::newToken(str_repeat(':', 64))) < 512);
for ($i = 0; $i < 2000; $i++) {
	$tokens[RedisLock::newToken()] = true;
}
step('all different', count($tokens));

/* Fresh for every acquisition. */
$lock = new RedisLock($server->options(['name' => 'token', 'label' => 'me']));
$_ = $lock->acquire();
$first = $lock->getToken();
$lock->release();
$_ = $lock->acquire();
step('another for each acquisition, of the format', $first !== $lock->getToken(), preg_match(sprintf($format, 'me'), $first));
$lock->release();

/* Given: as it is, every time; alone it holds nothing. */
$given = "my\0own\r\n\xfftoken";
$lock = new RedisLock($server->options(['name' => 'token', 'token' => $given, 'label' => 'unused']));
step('given: as it is, nothing held before acquire()', $lock->getToken(), $lock->isAcquired(), $lock->acquire(), $redis('GET', 'token') === $given,
	$lock->isAcquired());
step('the same the next time', $lock->release(), $lock->acquire(), $lock->getToken() === $given, $lock->keepAlive());
step('refused while it is held', (new RedisLock($server->options(['name' => 'token', 'token' => $given])))->acquire());
?>
--EXPECT--
fresh ones are of the format: 1
with a label: 1
of the longest label, short enough: true
all different: 2000
another for each acquisition, of the format: true, 1
given: as it is, nothing held before acquire(): NULL, false, true, true, true
the same the next time: true, true, true, true
refused while it is held: false
