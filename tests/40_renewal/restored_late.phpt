--TEST--
RedisLock::restore(): a lock with little left is renewed in time, whichever call confirmed it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3);
$one = $servers[0]->options();
$three = ['servers' => addresses($servers)];

/* The first renewal of 30 s is due after 10 s, but the key ends before. */
foreach (['one server' => $one, 'three servers' => $three] as $where => $params) {
	foreach (['isAcquired', 'keepAlive'] as $confirm) {
		$first = new RedisLock($params + ['name' => "restored_late_$confirm", 'ttl' => 2]);
		$_ = $first->acquire();
		$second = RedisLock::restore($params + ['renew' => true], $first->getName(), $first->detach());
		$confirmed = $second->$confirm();
		echo "$where, $confirm(): ", $confirmed && comes_true(fn () => $second->remaining() > 5) ? 'kept' : 'not kept', "\n";
		$second->release();
	}
}

/* Half of what is left is the latest, not the earliest. */
$first = new RedisLock($one + ['name' => 'restored_late_interval', 'ttl' => 20]);
$_ = $first->acquire();
$second = RedisLock::restore($one + ['renew' => true, 'interval' => 0.2], $first->getName(), $first->detach());
var_dump($second->isAcquired(), comes_true(fn () => $second->remaining() > 25, 5));
--EXPECT--
one server, isAcquired(): kept
one server, keepAlive(): kept
three servers, isAcquired(): kept
three servers, keepAlive(): kept
bool(true)
bool(true)
