--TEST--
Two spellings of one option may agree, and are refused when they do not
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'agree' => ['ttl' => 5, 'expiredTime' => '5.0', 'wait' => 1, 'waitTime' => 1, 'retry_ms' => 100, 'frequency' => 100],
	'ttl' => ['ttl' => 5, 'expiredTime' => 6],
	'wait' => ['wait' => 5, 'waitTime' => 6],
	'retry_ms' => ['retry_ms' => 5, 'frequency' => 6],
	'database' => ['database' => 1, 'db' => 2],
	'password' => ['password' => 's3cret', 'auth' => 'other'],
	'user' => ['auth' => ['a', 's3cret'], 'username' => 'b'],
	'timeout' => ['timeout' => 1, 'connect_timeout' => 2],
	'host' => ['host' => 'a', 'hostname' => 'b'],
	'host and path' => ['host' => 'a', 'path' => '/nowhere'],
	'scheme and path' => ['scheme' => 'tcp', 'path' => '/nowhere'],
	'scheme and host' => ['scheme' => 'unix', 'host' => 'a'],
	'scheme unix' => ['scheme' => 'unix'],
	'user without password' => ['username' => 'a'],
	'user, empty password' => ['user' => 'a', 'password' => ''],
	'auth' => ['auth' => ['a', null]],
	'ttl of the articles' => ['expiredTime' => 0, 'renew' => true],
	'ttl of the articles, fence' => ['expiredTime' => 0, 'fence' => true],
]);
?>
--EXPECT--
agree: accepted as [5]
ttl: ValueError: options "ttl" and "expiredTime" contradict each other
wait: ValueError: options "wait" and "waitTime" contradict each other
retry_ms: ValueError: options "retry_ms" and "frequency" contradict each other
database: ValueError: options "database" and "db" contradict each other
password: ValueError: options "password" and "auth" contradict each other
user: ValueError: options "auth" and "username" contradict each other
timeout: ValueError: options "timeout" and "connect_timeout" contradict each other
host: ValueError: options "host" and "hostname" contradict each other
host and path: ValueError: options "host" and "path" name two different servers; leave one out
scheme and path: ValueError: options "scheme" and "path" name two different servers; leave one out
scheme and host: ValueError: option "path" must be given with the scheme unix
scheme unix: ValueError: option "path" must be given with the scheme unix
user without password: ValueError: option "username" must not be given without a password
user, empty password: ValueError: option "user" must not be given without a password
auth: ValueError: option "auth" must not be given without a password
ttl of the articles: ValueError: option "expiredTime" must be at least 0.002 seconds with "renew"
ttl of the articles, fence: ValueError: option "expiredTime" must not be 0 with "fence"
