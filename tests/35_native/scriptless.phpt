--TEST--
Scripts refused by rights or vendor: the first call that needs one is an exception that names the right, and deletes nothing
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$server = new Server();
$redis = $server->client();
$redis('ACL', 'SETUSER', 'most', 'on', '>pw', '~*', '+@all', '-eval', '-evalsha');
$most = ['name' => 'scriptless', 'ttl' => 60, 'auth' => ['most', 'pw']];
$says = fn (callable $do) => preg_replace(['/NOPERM \S+ \S+/', "/ 'eval(sha)?'.*/"], ['NOPERM (user)', " 'eval'"], outcome($do));

$lock = new RedisLock($server->options($most));
$other = new RedisLock($server->options($most));
var_dump($lock->acquire(), $other->acquire());
foreach (['keepAlive', 'isAcquired', 'holder', 'release', 'forceRelease'] as $method) {
	echo "$method: ", $says($lock->$method(...)), "\n";
}
var_dump($lock->isHeld(), $redis('GET', 'scriptless') === $lock->getToken());
$start = microtime(true);
echo 'waits: ', $says(fn () => $other->acquire(30)), ', ', microtime(true) - $start < 20 ? 'at once' : 'late', "\n";
echo 'fence: ', $says(fn () => (new RedisLock($server->options(['name' => 'f', 'fence' => true] + $most)))->acquire()), "\n";
/* The work is done all the same. */
echo 'bound: ', $says(fn () => @SequenceTask::execute($server->options(['name' => 'bound', 'ttl' => 1] + $most), fn () => 'done')), "\n";

/* A majority without it: nobody can say that the lock is released. */
$servers = array_map(fn () => new Server(), range(1, 3));
foreach ([0, 1] as $i) {
	$servers[$i]->client()('ACL', 'SETUSER', 'most', 'on', '>pw', '~*', '+@all', '-eval', '-evalsha');
}
$entries = array_map(fn ($server, $i) => ['path' => $server->socket] + ($i < 2 ? ['username' => 'most', 'password' => 'pw'] : []), $servers, [0, 1, 2]);
$red = new RedLock($entries, 1, 1, ['timeout' => 5, 'read_timeout' => 5]);
$held = $red->lock('several', 60000);
echo 'several: ', $says(fn () => $red->extend($held, 60000)), "\n";
?>
--EXPECT--
bool(true)
bool(false)
keepAlive: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
isAcquired: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
holder: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
release: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
forceRelease: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
bool(true)
bool(true)
waits: RedisLock\ConnectionException: lock "scriptless": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval', at once
fence: RedisLock\ConnectionException: lock "f": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
bound: 'done'
several: RedisLock\ConnectionException: lock "several": no majority of the servers, 2 of 3 failed: redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM (user) has no permissions to run the 'eval'
