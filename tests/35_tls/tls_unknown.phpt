--TEST--
TLS: an acquisition whose answer does not come is taken back behind it, on the same connection
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require_once __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
$lock = new RedisLock($tls->options(['name' => 'tls_unknown', 'ttl' => 60, 'read_timeout' => 0.3]));
var_dump($lock->acquire(), $lock->release());
$tls->server->freeze();
$before = now();
try {
	$_ = $lock->acquire();
} catch (RedisLock\ConnectionException $e) {
	echo preg_replace('/\(.*/', '', $e->getMessage()), "\n";
}
expect_taken('in time', $before, 0.29, 5);
unset($lock);
$tls->server->thaw();
/* The SET was executed, then the release; nothing stays. */
wait_until(fn () => preg_match('/cmdstat_set:calls=2,/', $redis('INFO', 'commandstats')) && $redis('EXISTS', 'tls_unknown') === 0);

/* A request larger than the socket takes, at a server that does not read: the deadline holds, and what was sent in part is
 * none. */
$long = new RedisLock($tls->options(['name' => str_repeat('n', 60000), 'read_timeout' => 0.3]));
var_dump($long->acquire(), $long->release());
$tls->server->freeze();
$before = now();
for ($i = 0; $i < 3; $i++) {
	try {
		$_ = $long->acquire();
	} catch (RedisLock\ConnectionException $e) {
		echo preg_replace('/lock "n*"|\(.*/', '', $e->getMessage()), "\n";
	}
}
expect_taken('in time', $before, 0.3, 5);
$tls->server->thaw();
/* Whatever was under way gives way. */
var_dump(comes_true(fn () => $long->acquire()), $long->release(), comes_true(fn () => $redis('DBSIZE') === 0));
?>
--EXPECT--
bool(true)
bool(true)
lock "tls_unknown": the server did not answer in time 
in time: ok
bool(true)
bool(true)
: the server did not answer in time 
: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port? 
: cannot connect with TLS: the server did not answer in time; does it speak TLS on this port? 
in time: ok
bool(true)
bool(true)
bool(true)
