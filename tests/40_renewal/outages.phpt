--TEST--
process-bound locks: survive every trouble of the server that is over before their ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

const TTL = 10;
$s = new Server(false, '--lua-time-limit', '20', '--requirepass', 'secret',
	...server_is_before('7') ? [] : ['--enable-debug-command', 'yes']);
$connect = function () use ($s) {
	$client = $s->client();
	$client('AUTH', 'secret');
	return $client;
};
$redis = $connect();
$other = null; /* for commands that are answered late */
$redis('ACL', 'SETUSER', 'ann', 'on', '>hers', '~outages', '+@all');
$redis('CONFIG', 'SET', 'key-load-delay', '2000');
$redis('CONFIG', 'SET', 'loading-process-events-interval-bytes', '1024');
$cut = fn () => $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');

/* How it begins and, where it does not end by itself, how it ends. */
$outages = [
	'all clients paused' => [fn () => $redis('CLIENT', 'PAUSE', '1500')],
	'paused, and connections cut' => [function () use ($redis, $cut) {
		$redis('MULTI'); /* nobody connects in between */
		$cut();
		$redis('CLIENT', 'PAUSE', '1500');
		$redis('EXEC');
	}],
	'writes paused' => [fn () => $redis('CLIENT', 'PAUSE', '60000', 'WRITE'), fn () => $redis('CLIENT', 'UNPAUSE')],
	'read-only replica' => [fn () => $redis('REPLICAOF', '127.0.0.1', '1'), fn () => $redis('REPLICAOF', 'NO', 'ONE')],
	'replica without its master' => [
		function () use ($redis) {
			$redis('CONFIG', 'SET', 'replica-serve-stale-data', 'no');
			$redis('REPLICAOF', '127.0.0.1', '1');
		},
		fn () => $redis('REPLICAOF', 'NO', 'ONE'),
	],
	'loading' => [
		function () use ($redis, $connect, &$other) {
			$other = $connect();
			$redis('DEBUG', 'POPULATE', '800', 'outages', '10');
			$other->send('DEBUG', 'RELOAD');
			wait_until(fn () => str_starts_with($redis('GET', 'outages') ?? '', '-LOADING'));
		},
		function () use (&$other) {
			$other->receive();
		},
	],
	'busy with a script' => [
		function () use ($redis, $connect, &$other) {
			$other = $connect();
			$other->send('EVAL', 'while true do end', '0');
			wait_until(fn () => str_starts_with($redis('GET', 'outages') ?? '', '-BUSY'));
		},
		function () use ($redis, &$other) {
			$redis('SCRIPT', 'KILL');
			$other->receive();
		},
	],
	'stopped' => [$s->freeze(...), $s->thaw(...)],
	'other password' => [
		function () use ($redis, $cut) {
			$redis('CONFIG', 'SET', 'requirepass', 'other');
			$cut();
		},
		fn () => $redis('CONFIG', 'SET', 'requirepass', 'secret'),
	],
	'too many clients' => [
		function () use ($redis, $cut) {
			$redis('CONFIG', 'SET', 'maxclients', '1');
			$cut();
		},
		fn () => $redis('CONFIG', 'SET', 'maxclients', '100'),
		true,
	],
	'user switched off' => [
		function () use ($redis, $cut) {
			$redis('ACL', 'SETUSER', 'ann', 'off');
			$cut();
		},
		fn () => $redis('ACL', 'SETUSER', 'ann', 'on'),
		true,
	],
	'user without permission' => [
		fn () => $redis('ACL', 'SETUSER', 'ann', '-@all'),
		fn () => $redis('ACL', 'SETUSER', 'ann', '+@all'),
		true,
	],
];
if (server_is_before('6.2')) {
	/* These cannot be arranged there. */
	$outages['writes paused'] = $outages['loading'] = $outages['all clients paused'];
}
foreach ($outages as $name => $outage) {
	$login = isset($outage[2]) ? ['username' => 'ann', 'password' => 'hers'] : ['password' => 'secret'];
	$lock = new RedisLock($s->options($login + ['name' => 'outages', 'ttl' => TTL, 'interval' => 0.05, 'timeout' => 0.5,
		'renew' => true]));
	$_ = $lock->acquire();
	$noticed = $renewed = $held = false;
	try {
		$outage[0]();
		/* What remains becomes less as long as nothing is renewed, and more with the first renewal. */
		$noticed = comes_true(fn () => $lock->remaining() < 0.99 * TTL - 0.6);
		isset($outage[1]) && $outage[1]();
		$renewed = comes_true(fn () => $lock->remaining() > 0.99 * TTL - 0.4);
		$held = $lock->isHeld();
	} catch (RedisLock\LockLostException $e) {
		echo $e->getMessage(), "\n";
	}
	$after = $lock->release();
	echo "$name: ", $noticed && $renewed && $held && $after && $redis('EXISTS', 'outages') === 0 ? 'survived' :
		json_encode(compact('noticed', 'renewed', 'held', 'after')), "\n";
	$redis('CONFIG', 'SET', 'replica-serve-stale-data', 'yes');
	$redis('FLUSHALL');
}
--EXPECT--
all clients paused: survived
paused, and connections cut: survived
writes paused: survived
read-only replica: survived
replica without its master: survived
loading: survived
busy with a script: survived
stopped: survived
other password: survived
too many clients: survived
user switched off: survived
user without permission: survived
