--TEST--
permits, shared: who waits is woken, in the order of arrival, readers and writers, any weight
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
/** Starts waiters one after the other, each when the one before is in line. @return array<string, Waiter> */
$line_up = function (array $kinds) use ($server, $redis) {
	$waiters = [];
	foreach ($kinds as $label => $kind) {
		$more = ['name' => 'waiting', 'label' => $label, 'renew' => count($waiters) % 2 === 1, 'read_timeout' => 30];
		$waiters[$label] = new Waiter($server->options($kind + $more));
		await_queue($redis, count($waiters));
	}
	return $waiters;
};
/** Waits until these are in: each of them, and nobody else, has to be. */
$in = function (array $waiters, array $expected) use ($redis) {
	array_map(fn ($label) => $waiters[$label]->got(), $expected);
	return implode(' ', $expected);
};
$nobody_else = fn (int $waiting) => comes_true(fn () => preg_match('/^blocked_clients:(\d+)/m', $redis('INFO', 'clients'), $m) && (int) $m[1] === $waiting);
$three = ['permits' => 3];

echo "permits of weight 1\n";
$holder = new RedisLock($server->options(['name' => 'waiting', 'weight' => 3] + $three));
$_ = $holder->acquire();
$w = $line_up(['a' => $three, 'b' => $three, 'c' => $three, 'd' => $three]);
step('the turnstile', $redis('EXISTS', '{waiting}:rlk:turn'));
$holder->release();
step('woken', $in($w, ['a', 'b', 'c']), $nobody_else(1));
step('one leaves', $w['b']->do('release'), $in($w, ['d']), $redis('ZCARD', 'waiting'));
array_map(fn ($label) => $w[$label]->do('release'), ['a', 'c', 'd']);

echo "weights\n";
$holder = new RedisLock($server->options(['name' => 'waiting'] + $three));
$_ = $holder->acquire();
$w = $line_up(['three' => ['weight' => 3] + $three, 'one' => $three, 'two' => ['weight' => 2] + $three, 'plain' => [], 'last' => $three]);
step('no newcomer passes', (new RedisLock($server->options(['name' => 'waiting'] + $three)))->acquire(), $nobody_else(5));
$holder->release();
step('three', $in($w, ['three']), $nobody_else(4), $w['three']->do('release'));
step('one, two', $in($w, ['one', 'two']), $nobody_else(2), $w['one']->do('release'), $nobody_else(2), $w['two']->do('release'));
step('plain', $in($w, ['plain']), $redis('TYPE', 'waiting'), $nobody_else(1), $w['plain']->do('release'));
step('last', $in($w, ['last']), $w['last']->do('release'));

echo "readers and writers\n";
$shared = ['shared' => true];
$holder = new RedisLock($server->options(['name' => 'waiting'] + $shared));
$_ = $holder->acquire();
$w = $line_up(['w1' => [], 'r1' => $shared, 'r2' => $shared, 'w2' => [], 'w3' => [], 'r3' => $shared]);
step('no reader passes a writer', (new RedisLock($server->options(['name' => 'waiting'] + $shared)))->acquire(), $nobody_else(6));
$holder->release();
step('w1', $in($w, ['w1']), $nobody_else(5), $w['w1']->do('release'));
step('r1, r2', $in($w, ['r1', 'r2']), $nobody_else(3), $w['r2']->do('release'), $nobody_else(3), $w['r1']->do('release'));
step('w2', $in($w, ['w2']), $nobody_else(2), $w['w2']->do('release'));
step('w3', $in($w, ['w3']), $nobody_else(1), $w['w3']->do('release'));
step('r3', $in($w, ['r3']), $w['r3']->do('release'));

echo "between two holders of the turnstile\n";
$holder = new RedisLock($server->options(['name' => 'passing'] + $shared));
$_ = $holder->acquire();
no_checks($redis, '{passing}:rlk:turn');
$w = $line_up(['w' => ['name' => 'passing'], 'r' => ['name' => 'passing'] + $shared]);
step('nobody takes it but who is woken', $redis('EXISTS', '{passing}:rlk:turn'), $redis('RPUSH', '{passing}:rlk:turn:rlk:signal', ''));
wait_until(fn () => $redis('EXISTS', '{passing}:rlk:turn') === 1);
step('w', $holder->release(), $in($w, ['w']), $nobody_else(1), $w['w']->do('release'));
step('r', $in($w, ['r']), $w['r']->do('release'));

echo "a server that forgets the scripts meanwhile\n";
$writer = new RedisLock($server->options(['name' => 'waiting']));
$_ = $writer->acquire();
$w = $line_up(['r' => $shared]);
$redis('SCRIPT', 'FLUSH');
step('r', $writer->release(), $in($w, ['r']), $w['r']->do('release'));
unset($w);
step('nothing but what ends by itself', array_values(array_filter($redis('KEYS', '*'), fn ($key) => !preg_match('/:rlk:(waiters|signal)$/', $key))));
?>
--EXPECT--
permits of weight 1
the turnstile: 0
woken: 'a b c', true
one leaves: true, 'd', 3
weights
no newcomer passes: false, true
three: 'three', true, true
one, two: 'one two', true, true, true, true
plain: 'plain', 'string', true, true
last: 'last', true
readers and writers
no reader passes a writer: false, true
w1: 'w1', true, true
r1, r2: 'r1 r2', true, true, true, true
w2: 'w2', true, true
w3: 'w3', true, true
r3: 'r3', true
between two holders of the turnstile
nobody takes it but who is woken: 0, 1
w: true, 'w', true, true
r: 'r', true
a server that forgets the scripts meanwhile
r: true, 'r', true
nothing but what ends by itself: array (
)
