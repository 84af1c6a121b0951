--TEST--
TLS: a forked copy leaves its parent's connection alone and opens its own
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
$opened = fn () => preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
$lock = new RedisLock($tls->options(['name' => 'tls_forked', 'ttl' => 20]));
$bound = new RedisLock($tls->options(['name' => 'bound', 'renew' => true, 'persistent' => true]));
step('acquired', $lock->acquire(), $bound->acquire());
$before = $opened();
if (($copy = pcntl_fork()) === 0) {
	$other = new RedisLock($tls->options(['name' => 'of the copy']));
	$ok = !$lock->isHeld() && !$bound->isHeld() && !$lock->release() && $other->acquire() && $other->release();
	/* Beyond its ttl, with time for a child that gets none for a while. */
	$own = new RedisLock($tls->options(['name' => 'kept by the copy', 'renew' => true, 'ttl' => 2, 'interval' => 0.1]));
	$ok = $ok && $own->acquire();
	$ok = $ok && stays_true(fn () => $own->isHeld(), 2.2);
	exit($ok && $own->release() ? 7 : 1);
}
pcntl_waitpid($copy, $status);
step('the copy is well, both keys are there', pcntl_wexitstatus($status), $redis('EXISTS', 'tls_forked', 'bound'));
/* On the connections there were. */
$before = $opened();
step('as before, on the same connections; keys left', $lock->keepAlive(), $lock->release(), $bound->isHeld(), $bound->release(), $opened() - $before, $redis('EXISTS', 'tls_forked', 'bound'));
?>
--EXPECT--
acquired: true, true
the copy is well, both keys are there: 7, 2
as before, on the same connections; keys left: true, true, true, true, 0, 0
