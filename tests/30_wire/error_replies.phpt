--TEST--
Error replies of a real server: read-only, out of memory, busy, too many clients
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
		/* Turned away: the server may have hung up before we wrote, and then nobody reads what it said. */
		$said = str_replace('the connection broke: Broken pipe', 'the server answered: ERR max number of clients', $e->getMessage());
		echo $method, ': ', preg_replace('/(?:ERR Error running script.* -)?(READONLY|OOM|MISCONF|NOREPLICAS|BUSY|max number of clients).*? \(unix.*/', '$1', $said), $e->isRetryable() ?
			', retryable' : '', "\n";
	}
}
$redis('CONFIG', 'SET', 'maxmemory', '1');
attempt($lock, 'acquire');
$redis('CONFIG', 'SET', 'maxmemory', '0');
attempt($lock, 'acquire');
$redis('REPLICAOF', '127.0.0.1', '1');
wait_until(fn () => $redis('PTTL', 'error_replies') < 60000); /* else there is nothing to extend */
attempt($lock, 'keepAlive');
attempt($lock, 'release');
attempt(new RedisLock($server->options(['name' => 'error_replies:2'])), 'acquire');
var_dump($lock->isHeld());
$redis('REPLICAOF', 'NO', 'ONE');
attempt($lock, 'release');

$redis('CONFIG', 'SET', 'min-replicas-to-write', '1');
attempt($lock, 'acquire');
$redis('CONFIG', 'SET', 'min-replicas-to-write', '0');
$redis('CONFIG', 'SET', 'lua-time-limit', '10');
$other = $server->client();
$other->send('EVAL', 'while true do end', '0');
wait_until(fn () => str_starts_with($redis('GET', 'a') ?? '', '-BUSY'));
attempt($lock, 'acquire');
$redis('SCRIPT', 'KILL');
$other->receive();
attempt($lock, 'acquire');
unset($other);
$redis('CONFIG', 'SET', 'maxclients', '2');
/* A connection that is there goes on; the next is too many. */
attempt($lock, 'release');
$more = new RedisLock($server->options(['name' => 'error_replies:3']));
attempt($more, 'acquire');
$redis('CONFIG', 'SET', 'maxclients', '10');
attempt($more, 'acquire');
var_dump($redis('DBSIZE'));
?>
--EXPECT--
acquire: lock "error_replies": the server answered: OOM, retryable
bool(true)
keepAlive: lock "error_replies": the server answered: READONLY, retryable
release: lock "error_replies": the server answered: READONLY, retryable
acquire: lock "error_replies:2": the server answered: READONLY, retryable
bool(true)
bool(true)
acquire: lock "error_replies": the server answered: NOREPLICAS, retryable
acquire: lock "error_replies": the server answered: BUSY, retryable
bool(true)
bool(true)
acquire: lock "error_replies:3": the server answered: ERR max number of clients, retryable
bool(true)
int(1)
