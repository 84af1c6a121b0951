--TEST--
A server that is out of memory takes no new lock, but those it has can be extended, released and put at rest
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/translator.inc';
$server = new Server();
$redis = $server->client();
foreach (['', 'delex', 'delifeq'] as $native) {
	echo "-- $native\n";
	$redis('CONFIG', 'SET', 'maxmemory', 0);
	$translator = new Translator($server, $native);
	$lock = new RedisLock($translator->options(['name' => 'plain', 'ttl' => 5]));
	/* From the second one on the compare commands are known, if there are any. */
	for ($i = 0; $i < 3; $i++) {
		$lock->acquire() && $lock->release();
	}
	$_ = $lock->acquire();
	$lock->lock('rests', 0, ['hold_at_least' => 60]);
	$redis('CONFIG', 'SET', 'maxmemory', 1);

	echo outcome(fn () => (new RedisLock($server->options(['name' => 'new'])))->acquire()), "\n";
	var_dump($lock->keepAlive(20), $redis('PTTL', 'plain') > 5000, $lock->release(), $redis('EXISTS', 'plain'));
	var_dump($lock->unlock('rests'), str_ends_with((string) $redis('GET', 'rests'), ':done'), $redis('PTTL', 'rests') > 5000);
	$redis('DEL', 'rests');
}
?>
--EXPECTF--
-- 
RedisLock\ConnectionException: lock "new": the server answered: OOM %s
bool(true)
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
-- delex
RedisLock\ConnectionException: lock "new": the server answered: OOM %s
bool(true)
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
-- delifeq
RedisLock\ConnectionException: lock "new": the server answered: OOM %s
bool(true)
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
bool(true)
