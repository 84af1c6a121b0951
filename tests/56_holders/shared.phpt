--TEST--
shared: any number of readers, or the plain lock as their writer; the layout of Symfony's store
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$reader = fn (array $more = []) => new RedisLock($server->options($more + ['name' => 'shared', 'shared' => true]));
[$a, $b, $writer] = [$reader(['label' => 'a']), $reader(['label' => 'b']), new RedisLock($server->options(['name' => 'shared']))];

step('readers', $a->acquire(), $b->acquire(), count($a->holders()));
step('no writer', $writer->acquire());
step('one leaves', $a->release(), $writer->acquire(), $b->isAcquired());
step('both have', $b->release(), $writer->acquire(), $a->acquire(), $writer->release(), $redis('EXISTS', 'shared'));

// What stock Symfony keeps there: readers, and a writer.
[$s, $us] = $redis('TIME');
$later = (string) (($s + 60) * 1000);
$redis('ZADD', 'shared', $later, 'stock reader');
$redis('PEXPIRE', 'shared', '60000');
step('beside a stock reader', $a->acquire(), $writer->acquire(), array_column($a->holders(), 'token') === ['stock reader', $a->getToken()]
	|| array_column($a->holders(), 'token') === [$a->getToken(), 'stock reader']);
step('score of ours', abs($redis('ZSCORE', 'shared', $a->getToken()) - $s * 1000 - 60000) < 30000, $a->release());
$redis('ZADD', 'shared', $later, '__write__');
step('not beside a stock writer', $a->acquire(), $writer->acquire(), array_column($a->holders(), 'token'));
$redis('DEL', 'shared');

// As a stock reader and a stock writer see ours: members that are not over.
$_ = $a->acquire();
step('ours has no writer', $redis('ZSCORE', 'shared', '__write__'), $redis('ZCARD', 'shared'), $redis('PTTL', 'shared') > 50_000, $a->release());

// Shared and reentrant: entered again, one member; the plain lock cannot be entered as a reader.
$again = $reader(['reentrant' => true]);
$twice = $reader(['reentrant' => true]);
step('entered again', $again->acquire(), $twice->acquire(), $redis('ZCARD', 'shared'), $twice->release(), $redis('ZCARD', 'shared'));
try {
	$_ = (new RedisLock($server->options(['name' => 'shared', 'reentrant' => true])))->acquire();
} catch (LogicException $e) {
	echo $e->getMessage(), "\n";
}
step('left', $again->release(), $redis('KEYS', '*'));
?>
--EXPECT--
readers: true, true, 2
no writer: false
one leaves: true, false, true
both have: true, true, false, true, 0
beside a stock reader: true, false, true
score of ours: true, true
not beside a stock writer: false, false, array (
  0 => 'stock reader',
)
ours has no writer: NULL, 1, true, true
entered again: true, true, 1, true, 1
lock "shared" is held by this process with another "shared" than asked for now, so it cannot be entered again
left: true, array (
)
