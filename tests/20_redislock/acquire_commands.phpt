--TEST--
RedisLock::acquire(), release(): a bare SET NX PX and a script by its digest, nothing else
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'acquire_commands', 'ttl' => 5]));
$lock->acquire();
$lock->keepAlive();
$lock->isAcquired();
$lock->release(); /* the scripts are known to the server from here on */

$monitor = $server->client();
$monitor('MONITOR');
$lock->acquire();
$token = $lock->getToken();
$lock->keepAlive();
$lock->isAcquired();
$lock->release();
$redis('PING', 'end');
$digest = fn ($script) => sha1(script_text($script));
while (!str_contains($line = $monitor->receive(), '"PING"')) {
	if (!str_contains($line, ' lua] ')) {
		echo preg_replace('/^[\d.]+ \[[^]]*\] /', '', strtr($line, [$token => 'TOKEN', $digest('release') => 'RELEASE',
			$digest('extend') => 'EXTEND', $digest('owned') => 'OWNED'])), "\n";
	}
}
?>
--EXPECT--
"SET" "acquire_commands" "TOKEN" "NX" "PX" "5000"
"EVALSHA" "EXTEND" "1" "acquire_commands" "TOKEN" "5000"
"EVALSHA" "OWNED" "1" "acquire_commands" "TOKEN"
"EVALSHA" "RELEASE" "3" "acquire_commands" "{acquire_commands}:rlk:waiters" "{acquire_commands}:rlk:signal" "TOKEN"
