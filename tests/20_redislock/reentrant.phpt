--TEST--
reentrant: the same lock is entered again by another object, and freed by the last to leave
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$options = $server->options(['name' => 'reentrant', 'reentrant' => true]);
$a = new RedisLock($options);
$b = new RedisLock($options);
step('entered by two objects', $a->acquire(), $a->acquire(), $b->acquire(), $b->lock('reentrant'));
step('the same lock for both', $a->getToken() === $b->getToken(), $b->isHeld(), $b->remaining() > 0, $b->isAcquired());
step('extended by one, for both', $b->keepAlive(100), $a->remaining() > 60);

/* Somebody without the option is another client, in the same process too. */
$other = new RedisLock($server->options(['name' => 'reentrant']));
step('without the option', $other->acquire());

step('left three times of four', $a->release(), $b->release(), $b->unlock('reentrant'), $redis('EXISTS', 'reentrant'), $b->isHeld(),
	$b->release());
step('left once more, and once too often', $a->release(), $redis('EXISTS', 'reentrant'), $a->release(), $other->acquire());

/* It is another's: entered again only by who is in. */
step('another has it now', $a->acquire(), $b->acquire());
?>
--EXPECT--
entered by two objects: true, true, true, true
the same lock for both: true, true, true, true
extended by one, for both: true, true
without the option: false
left three times of four: true, true, true, 1, false, false
left once more, and once too often: true, 0, false, true
another has it now: false, false
