--TEST--
TLS with Sentinel: a lock is kept through a failover; whom sentinels name is never talked to in clear text
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$all = new Sentinels(1, 2, password: 'swordfish', tls: $ca->arguments($ca->issue(['IP:127.0.0.1'])));
$options = fn (array $more = [], array $ssl = []) => $all->options($more + ['name' => 'tls_sentinel', 'ttl' => 30,
	'interval' => 0.2, 'ssl' => $ssl + ['cafile' => $ca->cafile]]);

$lock = new RedisLock($options(['renew' => true]));
var_dump($lock->acquire());
$all->awaitCopies('tls_sentinel');
$new = $all->client($all->kill());
var_dump(is_renewed($new, 'tls_sentinel'), $lock->isHeld(), $lock->release(), $new('KEYS', '*'));

$try = function (array $options) {
	try {
		return (new RedisLock($options))->acquire();
	} catch (RedisLock\ConnectionException $e) {
		return preg_match('/not accepted|not for "\w+"|did not answer in time/', $e->getMessage(), $m) ? $m[0] : $e->getMessage();
	}
};
each_outcome([
	'other authority' => $options(['timeout' => 2.1], ['cafile' => (new Authority)->cafile]),
	'other name' => $options(['timeout' => 2.2], ['peer_name' => 'elsewhere']),
], $try);

/* A master that listens and records. The sentinel talks to it as well. */
$listener = stream_socket_server('tcp://127.0.0.1:0');
$port = substr(strrchr(stream_socket_get_name($listener, false), ':'), 1);
var_dump($all->ask($all->sentinels[0])('SENTINEL', 'MONITOR', 'recorder', '127.0.0.1', $port, 1));
$recorder = ['service' => 'recorder', 'sentinels' => ["127.0.0.1:{$all->sentinels[0]->port}"], 'timeout' => 0.8];
echo outcome(fn () => $try($options($recorder))), "\n";
$said = [];
while ($client = @stream_socket_accept($listener, 0)) {
	stream_set_blocking($client, false);
	$said[] = fread($client, 8192);
}
var_dump(count($said) > 0, array_filter($said, fn ($bytes) => $bytes !== '' && $bytes[0] !== "\x16"),
	str_contains(implode($said), 'swordfish'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
other authority: 'not accepted'
other name: 'not for "elsewhere"'
string(2) "OK"
'did not answer in time'
bool(true)
array(0) {
}
bool(false)
