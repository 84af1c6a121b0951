--TEST--
Who waits for more than a second looks at the key from a second connection, and does without if there is none to be had
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
$redis('ACL', 'SETUSER', 'default', '>secret');
$options = $server->options(['name' => 'looks', 'ttl' => 60, 'password' => 'secret', 'database' => 3, 'client_name' => 'looks']);
$redis('SELECT', 3);
$connections = fn () => substr_count($redis('CLIENT', 'LIST'), ' name=looks ');
/* Held by somebody who will not tell, behind a token that says he will. */
$hold = fn () => $redis('SET', 'looks', RedisLock::newToken(), 'PX', 60000);

$hold();
[$looked, $said] = unless_stalled(function () use ($options, $redis, $connections) {
	$waiter = new Waiter($options, 0.8);
	await_queue($redis, 1);
	$came = [comes_true(fn () => $connections() > 1, 1.0), substr($waiter->php->line(), 0, 2)];
	$waiter->php->signal(SIGKILL);
	$waiter->php->end();
	wait_until(fn () => $connections() === 0);
	return $came;
}, fn (array $came) => !$came[0]);
var_dump($looked, $said);

foreach ([false, true] as $renew) {
	$hold();
	$waiter = new Waiter($options + ['renew' => $renew]);
	await_queue($redis, 1);
	wait_until(fn () => $connections() === 2);
	$deleted = now();
	$redis('DEL', 'looks');
	expect_taken('deleted in silence', $deleted, 0, 1.1 + PROVISIONAL_MARGIN, $waiter->got());
	var_dump($waiter->do('held'), $waiter->do('release'));
	/* The second one goes with the lock; the renewal child may have one of its own by now. */
	wait_until(fn () => $connections() <= 1 + (int) $renew);
	$waiter->php->signal(SIGKILL);
	$waiter->php->end();
	wait_until(fn () => $connections() === 0);
}

/* The server has no more connections to give, to the end. */
$redis('CONFIG', 'RESETSTAT');
$hold();
$other = new RedisLock(['client_name' => 'other'] + $options);
$other->holder();
$waiter = new Waiter($options);
await_queue($redis, 1);
$redis('CONFIG', 'SET', 'maxclients', 3);
$refused = fn () => preg_match('/rejected_connections:[1-9]/', $redis('INFO', 'stats')) === 1;
var_dump(comes_true($refused), $connections());
$freed = now();
$other->forceRelease();
expect_taken('woken', $freed, -1, 1, $waiter->got());
var_dump($waiter->do('release'));
$redis('CONFIG', 'SET', 'maxclients', 100);
?>
--EXPECT--
bool(false)
string(2) "no"
deleted in silence: ok
bool(true)
bool(true)
deleted in silence: ok
bool(true)
bool(true)
bool(true)
int(1)
woken: ok
bool(true)
