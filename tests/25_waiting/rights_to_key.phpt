--TEST--
A user with rights to the lock's key alone cannot wake or be woken; all the rest works
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$made = 0;
$redis('ACL', 'SETUSER', 'narrow', 'on', '>password', '~alone', '+@all');
$options = $server->options(['username' => 'narrow', 'password' => 'password', 'name' => 'alone', 'ttl' => 20, 'retry_ms' => 20]);
/* Nothing is known of the rights of this user yet: each time another object, on another connection. */
$lock = fn (array $more = []) => new RedisLock($more + $options + ['client_name' => 'c' . ++$GLOBALS['made']]);

$first = $lock();
step('taken, released, gone, taken again', $first->acquire(), $first->release(), comes_true(fn () => $redis('EXISTS', 'alone') === 0), $first->acquire());
$holder = $lock()->holder();
step('holder(): its token, nobody has waited', $holder['token'] === $first->getToken(), $holder['waited']);
try {
	with_holder(fn () => SequenceTask::execute($options, fn () => 0));
} catch (RedisLock\NotAcquiredException $e) {
	step('the exception has the holder', $e->getHolder()['pid'] === getmypid());
}
$waiter = new Waiter($options);
step('released while another waits', $first->release());
$waiter->got();
step('he releases it, it is taken, freed by force', $waiter->do('release'), $lock()->acquire(), $lock()->forceRelease());

/* Released behind a SET whose answer did not come. */
$late = $lock(['read_timeout' => 2]);
$late->holder();
$sets = fn () => preg_match('/cmdstat_set:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;
$before = $sets();
$server->freeze();
try {
	$_ = $late->acquire();
} catch (RedisLock\ConnectionException) {
	echo "no answer\n";
}
$server->thaw();
wait_until(fn () => $sets() > $before && $redis('EXISTS', 'alone') === 0, 5);

/* A user who may wake does so. */
$redis('ACL', 'SETUSER', 'narrow', '~*');
$last = $lock();
no_checks($redis, 'alone');
step('with rights', $last->acquire());
$waiter = new Waiter($options);
await_queue($redis, 1);
$freed = now();
step('released', $last->release());
expect_taken('handed over', $freed, -1, WOKEN, $waiter->got());
?>
--EXPECT--
taken, released, gone, taken again: true, true, true, true
holder(): its token, nobody has waited: true, false
the exception has the holder: true
released while another waits: true
he releases it, it is taken, freed by force: true, true, true
no answer
with rights: true
released: true
handed over: ok
