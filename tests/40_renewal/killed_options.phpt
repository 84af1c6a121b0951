--TEST--
A killed holder with max_hold, linger and hold_at_least, alone and together
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$code = '$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "killed_options", "ttl" => 50, "interval" => 0.05,
	"renew" => true, "on_lost" => "flag"] + json_decode($argv[2], true));
	$_ = $lock->acquire();
	$acquired = now();
	match ($argv[3]) {
		"" => null,
		"lost" => wait_until(fn () => !$lock->isHeld()),
		"later" => wait_until(fn () => now() > $GLOBALS["acquired"] + 0.1),
	};
	echo await_renewal_child(getmypid()), "\n";
	for (;;) sleep(60);';
foreach ([
	'before max_hold' => [['max_hold' => 20], ''],
	'after max_hold' => [['max_hold' => 0.1], 'lost'],
	'after max_hold, linger' => [['max_hold' => 0.1, 'linger' => 20], 'lost'],
	'after max_hold, hold_at_least' => [['max_hold' => 0.1, 'hold_at_least' => 20], 'lost'],
	'linger' => [['linger' => 20], ''],
	'hold_at_least' => [['hold_at_least' => 20], ''],
	'linger above hold_at_least' => [['linger' => 20, 'hold_at_least' => 10], ''],
	'linger below hold_at_least' => [['linger' => 10, 'hold_at_least' => 20], ''],
	'hold_at_least already over' => [['hold_at_least' => 0.1, 'max_hold' => 20], 'later'],
] as $name => [$options, $until]) {
	$php = new Php($code, [$s->socket, json_encode($options), $until]);
	$child = (int) $php->line();
	$token = $redis('GET', 'killed_options');
	$php->signal(SIGKILL);
	wait_until(fn () => !is_running($child));
	$now = $redis('GET', 'killed_options');
	$ttl = $redis('PTTL', 'killed_options');
	echo "$name: ", match (true) {
		$now === null => 'free',
		$now === $token => $ttl > 40000 ? 'left to its ttl' : "its own key, $ttl ms",
		default => $ttl > 10000 && $ttl <= 20000 ? 'rests for the longer time' : "rests for $ttl ms",
	}, "\n";
	$redis('DEL', 'killed_options');
}
--EXPECT--
before max_hold: free
after max_hold: left to its ttl
after max_hold, linger: left to its ttl
after max_hold, hold_at_least: left to its ttl
linger: rests for the longer time
hold_at_least: rests for the longer time
linger above hold_at_least: rests for the longer time
linger below hold_at_least: rests for the longer time
hold_at_least already over: free
