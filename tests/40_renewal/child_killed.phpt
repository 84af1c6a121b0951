--TEST--
renewal child: a killed one is replaced, the lock is kept
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lock = new RedisLock($s->options(['name' => 'child_killed', 'ttl' => 3, 'renew' => true]));
$_ = $lock->acquire();
for ($i = 0; $i < 3; $i++) {
	$child = await_renewal_child(getmypid());
	posix_kill($child, SIGKILL);
	echo comes_true(fn () => ($new = renewal_child(getmypid())) && $new !== $child) ? "replaced\n" : "not replaced\n";
}
var_dump(stays_true(fn () => $lock->isHeld(), 3.5), $lock->release(), $redis('EXISTS', 'child_killed'));

/* Asleep in a system call when it happens: the signal of its death wakes us. */
$_ = $lock->acquire();
posix_kill(await_renewal_child(getmypid()), SIGKILL);
$left = 5;
while ($left > 0) {
	$left = sleep(1) ? $left : $left - 1; /* which a signal ends */
	if (renewal_child(getmypid())) {
		break;
	}
}
var_dump($left > 0, $lock->release());
--EXPECT--
replaced
replaced
replaced
bool(true)
bool(true)
int(0)
bool(true)
bool(true)
