--TEST--
Error replies of a real server: read-only, out of memory
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'error_replies']));
function attempt(RedisLock $lock, string $method): void
{
	try {
		var_dump($lock->$method());
	} catch (RedisLock\ConnectionException $e) {
		echo $method, ': ', preg_replace('/(?:ERR Error running script.* -)?(READONLY|OOM).*? \(unix.*/', '$1', $e->getMessage()), $e->isRetryable() ?
			', retryable' : '', "\n";
	}
}
$redis('CONFIG', 'SET', 'maxmemory', '1');
attempt($lock, 'acquire');
$redis('CONFIG', 'SET', 'maxmemory', '0');
attempt($lock, 'acquire');
$redis('REPLICAOF', '127.0.0.1', '1');
attempt($lock, 'keepAlive');
attempt($lock, 'release');
attempt(new RedisLock($server->options(['name' => 'error_replies:2'])), 'acquire');
var_dump($lock->isHeld());
$redis('REPLICAOF', 'NO', 'ONE');
attempt($lock, 'release');
?>
--EXPECT--
acquire: lock "error_replies": the server answered: OOM, retryable
bool(true)
keepAlive: lock "error_replies": the server answered: READONLY, retryable
release: lock "error_replies": the server answered: READONLY, retryable
acquire: lock "error_replies:2": the server answered: READONLY, retryable
bool(true)
bool(true)
