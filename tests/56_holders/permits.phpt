--TEST--
permits, weight: up to n at a time, and the plain lock beside them
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$of = fn (array $more = []) => new RedisLock($server->options($more + ['name' => 'permits', 'permits' => 3]));
[$one, $two, $more, $plain] = [$of(['label' => 'one']), $of(['label' => 'two', 'weight' => 2]), $of(), new RedisLock($server->options(['name' => 'permits']))];

step('three of three', $one->acquire(), $two->acquire(), $redis('ZCARD', 'permits'));
step('no more', $more->acquire(), $plain->acquire(), $more->isHeld());
step('their holders', array_map(fn ($holder) => $holder['label'], $more->holders()), $more->holder()['label'], $plain->holder()['label']);
step('each is held', $one->isHeld(), $one->isAcquired(), $two->isAcquired(), $more->isAcquired(), $two->remaining() > 50);
step('extended alone', $one->keepAlive(100), $one->remaining() > 90, $two->remaining() < 61, $redis('PTTL', 'permits') > 90_000);
step('a weight leaves as a whole', $two->release(), $two->release(), $redis('ZCARD', 'permits'), $redis('PTTL', 'permits') > 90_000);
step('room for two', $more->acquire(), $two->acquire(), $of()->acquire(), $of()->acquire());
step('all leave', $one->release(), $more->release());
$redis('DEL', 'permits');
step('the plain lock', $plain->acquire(), $one->acquire(), $plain->release(), $one->acquire(), $plain->acquire(), $one->release());
step('nothing is left', $redis('KEYS', '*'));

// A number of 1 is the plain lock.
$single = $of(['permits' => 1]);
step('one of one', $single->acquire(), $redis('GET', 'permits') === $single->getToken(), $plain->acquire(), $single->release());

// Whoever is lost is told so.
$_ = $one->acquire();
$redis('ZREM', 'permits', $one->getToken());
step('lost', $one->isAcquired(), $one->isHeld(), $one->release(), $one->acquire());
$redis('DEL', 'permits');
step('lost again', $one->keepAlive(), $one->isHeld());

// A hold ends by itself; the others do not.
$short = $of(['ttl' => 1]);
step('a short one', $short->acquire(), $one->acquire(), $two->acquire());
wait_until(fn () => $two->acquire());
step('is over', $short->isHeld(), $short->release(), $one->isAcquired(), $two->isAcquired());

// As task, and by other names of one object.
unset($one, $two);
$redis('DEL', 'permits');
step('tasks', SequenceTask::execute($server->options(['name' => 'permits', 'permits' => 2]),
	fn () => SequenceTask::execute($server->options(['name' => 'permits', 'permits' => 2]), fn () => $redis('ZCARD', 'permits'))));
step('synchronized', $of()->synchronized(fn ($lock) => $lock->isAcquired()), $redis('EXISTS', 'permits'));
$any = new RedisLock($server->options());
step('names', $any->lock('permits', RedisLock::NONBLOCKED, ['permits' => 2]), $redis('TYPE', 'permits'), $any->unlock('permits'));
step('nothing is left', $redis('KEYS', '*'));

// Two objects with one token are one holder.
foreach ([[], ['permits' => 4], ['permits' => 4, 'weight' => 2], ['permits' => 3, 'weight' => 2], ['shared' => true]] as $kind) {
	$options = $server->options($kind + ['name' => 'one_token', 'token' => RedisLock::newToken()]);
	[$a, $b] = [new RedisLock($options), new RedisLock($options)];
	step(json_encode($kind), $a->acquire(), $b->acquire(), $kind === [] ? 1 : $redis('ZCARD', 'one_token'), count($a->holders()), $a->release());
	$redis('DEL', 'one_token');
}

// Readers get in beside permits, and are counted.
[$permit, $next] = [$of(['permits' => 2]), $of(['permits' => 2])];
$readers = array_map(fn () => new RedisLock($server->options(['name' => 'permits', 'shared' => true])), [1, 2]);
step('readers beside', $permit->acquire(), $readers[0]->acquire(), $readers[1]->acquire(), $next->acquire());
step('and gone', $readers[0]->release(), $readers[1]->release(), $next->acquire());
?>
--EXPECT--
three of three: true, true, 3
no more: false, false, false
their holders: array (
  0 => 'one',
  1 => 'two',
), 'one', 'one'
each is held: true, true, true, false, true
extended alone: true, true, true, true
a weight leaves as a whole: true, false, 1, true
room for two: true, false, true, false
all leave: true, true
the plain lock: true, false, true, true, false, true
nothing is left: array (
)
one of one: true, true, false, true
lost: false, false, false, true
lost again: false, false
a short one: true, true, false
is over: false, false, true, true
tasks: 2
synchronized: true, 0
names: true, 'zset', true
nothing is left: array (
)
[]: true, false, 1, 1, true
{"permits":4}: true, true, 1, 1, true
{"permits":4,"weight":2}: true, true, 2, 1, true
{"permits":3,"weight":2}: true, false, 2, 1, true
{"shared":true}: true, true, 1, 1, true
readers beside: true, true, true, false
and gone: true, true, true
