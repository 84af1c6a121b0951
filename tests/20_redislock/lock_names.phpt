--TEST--
RedisLock::lock(): several names on one object, each for itself
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'lock_names', 'prefix' => 'p:']));
var_dump($lock->lock('lock_names:a'), $lock->lock('lock_names:b', 0, ['token' => 'mine', 'ttl' => 5]),
	$lock->acquire());
$keys = $redis('KEYS', '*');
sort($keys);
echo implode(' ', $keys), ' ', $redis('GET', 'p:lock_names:b'), "\n";

/* The methods without a name speak of the configured one. */
var_dump($lock->getName(), $lock->release(), $lock->isHeld(), $redis('EXISTS', 'p:lock_names:a'));
/* lock() of the configured name is acquire(). */
var_dump($lock->lock('lock_names'), $lock->isHeld(), $lock->unlock('lock_names'), $lock->isHeld());

foreach (['lock_names:a', 'lock_names:b'] as $name) {
	try {
		$lock->lock($name);
	} catch (LogicException $e) {
		echo $e->getMessage(), "\n";
	}
}
var_dump($lock->unlock('lock_names:a'), $lock->unlock('lock_names:a'), $lock->unlock('lock_names:c'), $redis('KEYS',
	'*'));

/* The object goes, the leases stay. */
unset($lock);
var_dump($redis('DBSIZE'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
p:lock_names p:lock_names:a p:lock_names:b mine
string(10) "lock_names"
bool(true)
bool(false)
int(1)
bool(true)
bool(true)
bool(true)
bool(false)
lock "lock_names:a" is already held by this object
lock "lock_names:b" is already held by this object
bool(true)
bool(false)
bool(false)
array(1) {
  [0]=>
  string(14) "p:lock_names:b"
}
int(1)
