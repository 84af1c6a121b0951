--TEST--
RedisLock::acquire(), release(): a bare SET NX PX and a script by its digest, nothing else
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/translator.inc';
$server = new Translator(new Server(), ''); /* what a server with compare commands is sent: 35_native */
$lock = new RedisLock($server->options(['name' => 'acquire_commands', 'ttl' => 5]));
$digest = fn ($script) => sha1(script_text($script));
for ($time = 1; $time <= 3; $time++) {
	$_ = $lock->acquire();
	$token = $lock->getToken();
	$_ = $lock->keepAlive();
	$lock->isAcquired();
	$lock->release();
	echo "-- $time\n";
	foreach ($server->commands('EVAL') as $command) { /* the text, the first time */
		echo strtr($command, [$token => 'TOKEN', $digest('release') => 'RELEASE', $digest('lengthen') => 'LENGTHEN',
			$digest('owned') => 'OWNED']), "\n";
	}
}
?>
--EXPECT--
-- 1
SET acquire_commands TOKEN NX PX 5000
EVALSHA LENGTHEN 1 acquire_commands TOKEN 5000
EVALSHA OWNED 1 acquire_commands TOKEN
EVALSHA RELEASE 3 acquire_commands {acquire_commands}:rlk:waiters {acquire_commands}:rlk:signal TOKEN
-- 2
COMMAND LIST FILTERBY PATTERN del*
SET acquire_commands TOKEN NX PX 5000
EVALSHA LENGTHEN 1 acquire_commands TOKEN 5000
EVALSHA OWNED 1 acquire_commands TOKEN
EVALSHA RELEASE 3 acquire_commands {acquire_commands}:rlk:waiters {acquire_commands}:rlk:signal TOKEN
-- 3
SET acquire_commands TOKEN NX PX 5000
EVALSHA LENGTHEN 1 acquire_commands TOKEN 5000
EVALSHA OWNED 1 acquire_commands TOKEN
EVALSHA RELEASE 3 acquire_commands {acquire_commands}:rlk:waiters {acquire_commands}:rlk:signal TOKEN
