--TEST--
RedisLock\RenewalException: nothing is locked when renewal is turned off
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'off', 'renew' => true]));
$lease = new RedisLock($s->options(['name' => 'off']));

foreach (['off', '', 'none', 'no', '0'] as $value) {
	ini_set('redislock.renewal', $value);
	foreach ([fn () => $lock->acquire(),
		fn () => SequenceTask::execute($s->options(['name' => 'off']), fn () => print("must not run\n")),
		fn () => $lease->synchronized(fn () => print("must not run\n"))] as $attempt) {
		try {
			$attempt();
			echo "not reached\n";
		} catch (RedisLock\RenewalException $e) {
			$text = $e->getMessage();
		}
	}
	echo "'$value': $text, locked: ", $redis('EXISTS', 'off'), "\n";
}
var_dump($lease->acquire(), $lease->release(), renewal_child(getmypid()));
ini_set('redislock.renewal', 'Process');
var_dump($lock->acquire());
--EXPECT--
'off': lock "off": process-bound locks need renewal, which ini setting "redislock.renewal" turns off, locked: 0
'': lock "off": process-bound locks need renewal, which ini setting "redislock.renewal" turns off, locked: 0
'none': lock "off": process-bound locks need renewal, which ini setting "redislock.renewal" turns off, locked: 0
'no': lock "off": process-bound locks need renewal, which ini setting "redislock.renewal" turns off, locked: 0
'0': lock "off": process-bound locks need renewal, which ini setting "redislock.renewal" turns off, locked: 0
bool(true)
bool(true)
int(0)
bool(true)
