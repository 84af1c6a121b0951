--TEST--
A user who may not run what a call needs gets an exception, and keeps what it has
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$redis('ACL', 'SETUSER', 'ann', 'on', '>hers', '~*', '+set', '+ping', '+eval', '+evalsha');
$lock = new RedisLock($server->options(['name' => 'acl_scripts', 'auth' => ['ann', 'hers']]));
var_dump($lock->acquire());
/* May call scripts, but not read inside them: says nothing about the owner. */
foreach (['keepAlive', 'isAcquired', 'release', 'holder'] as $method) {
	echo preg_replace('/answered: (NOPERM|(ERR|@user_script: \d+:) The user executing|ERR ACL failure in script).*/', 'answered: no permission',
		outcome(fn () => $lock->$method())), "\n";
}
var_dump($lock->isHeld(), $redis('GET', 'acl_scripts') === $lock->getToken());
/* Nor scripts any more, nor SET, which compares on newer servers. */
$redis('ACL', 'SETUSER', 'ann', '-eval', '-evalsha', '-set');
foreach (['keepAlive', 'isAcquired', 'release', 'holder', 'forceRelease'] as $method) {
	echo preg_replace('/: (redislock needs the right to EVAL and EVALSHA, but )?the server answered: .*NOPERM.*/', ': no permission', outcome(fn () => $lock->$method())), "\n";
}
var_dump($lock->isHeld(), $redis('GET', 'acl_scripts') === $lock->getToken());
$redis('ACL', 'SETUSER', 'ann', '+@all');
var_dump($lock->release());
?>
--EXPECT--
bool(true)
RedisLock\ConnectionException: lock "acl_scripts": the server answered: no permission
RedisLock\ConnectionException: lock "acl_scripts": the server answered: no permission
RedisLock\ConnectionException: lock "acl_scripts": the server answered: no permission
RedisLock\ConnectionException: lock "acl_scripts": the server answered: no permission
bool(true)
bool(true)
RedisLock\ConnectionException: lock "acl_scripts": no permission
RedisLock\ConnectionException: lock "acl_scripts": no permission
RedisLock\ConnectionException: lock "acl_scripts": no permission
RedisLock\ConnectionException: lock "acl_scripts": no permission
RedisLock\ConnectionException: lock "acl_scripts": no permission
bool(true)
bool(true)
bool(true)
