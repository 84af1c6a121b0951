--TEST--
Passwords and tokens appear in no message, dump, trace or phpinfo()
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--INI--
zend.exception_ignore_args=0
zend.exception_string_param_max_len=100
redislock.server=redis://:s3cret-ini@127.0.0.1:6379
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(false, '--requirepass', 'right');
$seen = '';

function look(callable $code): void
{
	global $seen;
	try {
		$result = $code();
	} catch (Throwable $result) {
		$seen .= $result->getMessage() . $result->getTraceAsString() . $result;
	}
	ob_start();
	var_dump($result);
	$seen .= ob_get_clean() . print_r($result, true) . print_r((array) $result, true);
}

$path = $server->socket;
foreach ([
	fn () => new RedisLock(['unix_socket' => $path, 'password' => 's3cret-1', 'token' => 's3cret-2']),
	fn () => new RedisLock("redis://:s3cret-3@127.0.0.1:1", ['password' => 's3cret-4']),
	fn () => new RedisLock(['unix_socket' => $path, 'password' => 's3cret-5', 'ttl' => -1]),
	fn () => new RedisLock("redis://u:s3cret-6@127.0.0.1:99999"),
	fn () => new RedisLock([], ['auth' => ['u', 's3cret-7'], 'hots' => 'a']),
	fn () => new RedisLock(['auth' => ['u', 's3cret-8', 'more']]),
	fn () => (new RedisLock(['unix_socket' => $path, 'password' => 's3cret-9']))->acquire(),
	fn () => (new RedisLock(['unix_socket' => $path, 'auth' => ['s3cret-user', 's3cret-10']]))->holder(),
	fn () => (new RedisLock(['unix_socket' => "$path-", 'password' => 's3cret-11']))->acquire(),
	fn () => RedisLock::restore(['unix_socket' => $path, 'password' => 's3cret-12'], 'a', 's3cret-token'),
	fn () => RedisLock::restore(['unix_socket' => $path, 'password' => 's3cret-13'], '', 's3cret-token'),
	fn () => (string) RedisLock::restore(['password' => 's3cret-14'], 'a', 's3cret-token'),
	fn () => SequenceTask::execute(['unix_socket' => $path, 'password' => 's3cret-15'], fn () => 1),
	fn () => (new RedisLock(['unix_socket' => $path]))->lock('a', RedisLock::NONBLOCKED, ['token' => 's3cret-16', 'ttl' => -1]),
	fn () => new RedisLock(),
] as $code) {
	look($code);
}
ob_start();
phpinfo(INFO_CONFIGURATION | INFO_MODULES); /* the environment has what run-tests was given */
(new ReflectionExtension('redislock'))->info();
$seen .= ob_get_clean();
/* The lock of a later failure: its token stays out, its name is in. */
$lock = new RedisLock($server->options(['password' => 'right', 'name' => 'secrets']));
$_ = $lock->acquire();
$token = $lock->getToken();
$server->kill();
look(fn () => $lock->release());
look(fn () => $lock);
echo strlen($seen) > 5000 && str_contains($seen, 'lock "secrets"') ? "looked\n" : $seen;
preg_match_all('/s3cret[-\w]*/', $seen, $m);
print_r($m[0]);
var_dump(str_contains($seen, $token), str_contains($seen, substr($token, -32)));
?>
--EXPECT--
looked
Array
(
)
bool(false)
bool(false)
