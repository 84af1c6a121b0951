--TEST--
RedLock: lock(), extend() and unlock() as in the articles, on all servers
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(5);
$red = new RedLock(addresses($servers), 20, 2);
$other = new RedLock(array_map(fn (Server $s) => ['127.0.0.1', $s->port, 5], $servers), 20, 2, ['read_timeout' => 5]);

$lock = $red->lock('redlock', 10000);
var_dump(array_keys($lock), $lock['resource']);
expect_between('validity', $lock['validity'], 9000, 10000 - 100 - 2);
/* The last of them may be late. */
wait_until(fn () => where($servers, 'redlock', $lock['token']) === 'xxxxx');
echo where($servers, 'redlock', $lock['token']), "\n";
var_dump($other->lock('redlock', 10000), $red->lock('redlock', 10000));

$longer = $red->extend($lock, 20000);
expect_between('validity', $longer['validity'], 19000, 20000 - 200 - 2);
var_dump($longer['token'] === $lock['token']);
/* null: the ttl given last. And the array is enough, also elsewhere. */
expect_between('validity', $red->extend($lock)['validity'], 19000, 20000 - 200 - 2);
expect_between('validity', $other->extend($lock, 5000)['validity'], 4000, 5000 - 50 - 2);
$ttl = fn () => $servers[0]->client()('PTTL', 'redlock');
wait_until(fn () => $ttl() <= 5000);
expect_between('ttl', $ttl(), 4000, 5000);

var_dump($other->unlock($lock), $red->unlock($lock), $red->extend($lock, 100), $red->unlock(false));
echo nothing_left($servers), "\n";

/* Fresh tokens, and an expired lease is free. */
$short = $red->lock('redlock', 50);
var_dump($short['token'] !== $lock['token']);
wait_until(fn () => where($servers, 'redlock') === '.....');
var_dump(is_array($other->lock('redlock', 1000)), $red->unlock($short), $red->extend($short, 100));

echo outcome(fn () => $red->unlock(['resource' => 'x'])), "\n",
	outcome(fn () => $red->unlock(true)), "\n", outcome(fn () => $red->lock('', 100)), "\n",
	outcome(fn () => $red->lock('redlock', 0)), "\n", outcome(fn () => clone $red), "\n",
	outcome(fn () => serialize($red)), "\n";
?>
--EXPECTF--
array(3) {
  [0]=>
  string(8) "validity"
  [1]=>
  string(8) "resource"
  [2]=>
  string(5) "token"
}
string(7) "redlock"
validity: ok
xxxxx
bool(false)
bool(false)
validity: ok
bool(true)
validity: ok
validity: ok
ttl: ok
bool(true)
bool(false)
bool(false)
bool(false)
nothing is left
bool(true)
bool(true)
bool(false)
bool(false)
ValueError: RedisLock\RedLock::unlock(): Argument #1 ($lock) must be what RedLock::lock() returned, with "resource" and "token"
TypeError: RedisLock\RedLock::unlock(): Argument #1 ($lock) must be of type array|false, bool given
ValueError: RedisLock\RedLock::lock(): Argument #1 ($resource) is not valid: it must not be empty
ValueError: RedisLock\RedLock::lock(): Argument #2 ($ttl) must be from 10 to 315360000000 ms, 0 given
Error: Trying to clone an uncloneable object of class RedisLock\RedLock
Exception: Serialization of 'RedisLock\RedLock' is not allowed
