--TEST--
Passwords and users: right ones, wrong ones, none
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server(true, '--requirepass', 'right');
$redis = $server->client();
$redis('AUTH', 'right');
$redis('ACL', 'SETUSER', 'ann', 'on', '>hers', '~credentials*', '+@all');
$redis('ACL', 'SETUSER', 'bob', 'off', '>his', '~*', '+@all');
$open = new Server();
foreach ([
	'right' => ['password' => 'right'],
	'right user' => ['username' => 'ann', 'password' => 'hers'],
	'default user' => ['username' => 'default', 'password' => 'right'],
	'none' => [],
	'wrong' => ['password' => 's3cret'],
	'wrong for user' => ['username' => 'ann', 'password' => 's3cret'],
	'no such user' => ['username' => 's3cret-user', 'password' => 's3cret'],
	'user switched off' => ['username' => 'bob', 'password' => 'his'],
	'password with everything' => ['password' => "s3cret \r\n\t\"*\xff"],
] as $name => $credentials) {
	foreach ([false, true] as $tcp) {
		$lock = new RedisLock($server->options($credentials + ['name' => 'credentials'], $tcp));
		$said = outcome(fn () => [$lock->acquire(), $lock->keepAlive(), $lock->release()] === [true, true, true]);
		echo $name, ': ', $said, "\n";
	}
}
echo 'needless: ', outcome(fn () => (new RedisLock($open->options(['name' => 'needless', 'password' => 's3cret'])))->acquire()), "\n";
foreach ([['name' => 'other'], ['name' => 'credentials', 'prefix' => 'x:']] as $options) {
	echo 'no permission: ', outcome(fn () =>
		(new RedisLock($server->options(['username' => 'ann', 'password' => 'hers'] + $options + ['name' => 'credentials'])))->acquire()), "\n";
}
var_dump($redis('DBSIZE'));
?>
--EXPECTF--
right: true
right: true
right user: true
right user: true
default user: true
default user: true
none: RedisLock\ConnectionException: lock "credentials": the server answered: NOAUTH Authentication required. (unix://%s)
none: RedisLock\ConnectionException: lock "credentials": the server answered: NOAUTH Authentication required. (tcp://127.0.0.1:%d)
wrong: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (unix://%s)
wrong: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
wrong for user: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (unix://%s)
wrong for user: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
no such user: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (unix://%s)
no such user: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
user switched off: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (unix://%s)
user switched off: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
password with everything: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (unix://%s)
password with everything: RedisLock\ConnectionException: lock "credentials": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://127.0.0.1:%d)
needless: RedisLock\ConnectionException: lock "needless": the server refused the credentials: ERR AUTH <password> called without any password configured for the default user (unix://%s)
no permission: RedisLock\ConnectionException: lock "other": the server answered: NOPERM %s (unix://%s)
no permission: RedisLock\ConnectionException: lock "credentials": the server answered: NOPERM %s (unix://%s)
int(0)
