--TEST--
reentrant: an object that goes leaves the lock, and the others stay in it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant_objects', 'reentrant' => true]);
$a = new RedisLock($options);
$b = new RedisLock($options);
$_ = $a->acquire();
$_ = $b->acquire();
$_ = $b->acquire();
unset($a);
step('the first object is gone, the second enters twice and leaves twice', $b->isAcquired(), $b->release(), $redis('EXISTS', 'reentrant_objects'), $b->release(), $redis('EXISTS',
	'reentrant_objects'));

/* Other names, prefixes and databases are other locks. */
$c = new RedisLock($options);
step('other names', $b->acquire(), $c->lock('reentrant_objects:2'), $c->unlock('reentrant_objects:2'));
step('another prefix, another database', (new RedisLock($options + ['prefix' => 'p:']))->acquire(),
	(new RedisLock($options + ['database' => 1]))->acquire());
$second = $server->client();
$second('SELECT', 1);
step('in the other database', $second('DBSIZE'));
step('with the prefix; the third object enters', $redis('EXISTS', 'p:reentrant_objects'), $c->acquire(), $c->getToken() === $b->getToken());

/* Lost: the count is over for all. */
$redis('DEL', 'reentrant_objects');
step('lost: the count is over for all', $b->keepAlive(), $c->isHeld(), $c->release(), $c->acquire(), $b->isHeld(), $b->acquire());
step('left by each', $b->release(), $redis('EXISTS', 'reentrant_objects'), $c->release(), $redis('EXISTS', 'reentrant_objects'));

/* Whoever holds a permit himself does not give that up to enter another's. */
$name = 'reentrant_objects:3';
$held = fn () => $redis('ZCARD', $name);
foreach (['permits' => 2, 'shared' => true] as $option => $value) {
	$own = new RedisLock([$option => $value, 'name' => $name] + $server->options());
	$entered = new RedisLock([$option => $value, 'name' => $name] + $options);
	step($option, $own->acquire(), $entered->acquire(), $held());
	try {
		step('entered', $own->lock($name, RedisLock::NONBLOCKED, ['reentrant' => true]));
	} catch (LogicException $e) {
		echo $e->getMessage(), "\n";
	}
	step('both are held', $held(), $entered->release(), $held(), $own->release(), $held());
}
?>
--EXPECT--
the first object is gone, the second enters twice and leaves twice: true, true, 1, true, 0
other names: true, true, true
another prefix, another database: true, true
in the other database: 1
with the prefix; the third object enters: 1, true, true
lost: the count is over for all: false, false, false, true, false, true
left by each: true, 1, true, 0
permits: true, true, 2
lock "reentrant_objects:3" is already held by this object
both are held: 2, true, 1, true, 0
shared: true, true, 2
lock "reentrant_objects:3" is already held by this object
both are held: 2, true, 1, true, 0
