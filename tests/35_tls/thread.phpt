--TEST--
TLS: renewal by a thread of the process
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--INI--
redislock.renewal=thread
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
$ca = new Authority;
$other = new Authority;
$first = $ca->server($ca->issue());
$second = $other->server($other->issue());
$options = ['name' => 'thread', 'renew' => true, 'ttl' => 2, 'interval' => 0.1];
$a = new RedisLock($first->options($options));
$b = new RedisLock($second->options($options));
var_dump($a->acquire(), $b->acquire(), renewal_child(getmypid()));
var_dump(stays_true(fn () => $a->isHeld() && $b->isHeld(), 2.5), $a->release());
$redis = $second->server->client();
/* The loss of a plain lock is told by isHeld() and, here, an exception: at once, so maybe amid the DEL. */
try {
	$redis('DEL', 'thread');
	pause(10, 'the exception is to come');
	echo "not told\n";
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
?>
--EXPECT--
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
lock "thread" was lost: its key was deleted or has another owner
