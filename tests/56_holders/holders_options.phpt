--TEST--
permits, weight, shared: what is refused, and why
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$try = fn (array|string $options) => outcome(fn () => (new RedisLock($options))::class);
foreach ([
	['permits' => 0], ['permits' => 4097], ['permits' => 'many'], ['permits' => 1.5], ['shared' => 'perhaps'],
	['permits' => 3, 'weight' => 0], ['permits' => 3, 'weight' => 4], ['permits' => 1, 'weight' => 2],
	['permits' => 3, 'shared' => true], ['permits' => 1, 'shared' => true],
	['permits' => 3, 'servers' => ['a', 'b', 'c']], ['shared' => true, 'servers' => ['a', 'b', 'c']],
	['permits' => 3, 'fence' => true], ['shared' => true, 'fence' => true],
	['permits' => 3, 'weight' => 2, 'reentrant' => true],
	['permits' => 3, 'ttl' => 0], ['shared' => true, 'ttl' => 0],
	['premits' => 3], ['weight' => 7], ['servers' => [['host' => 'a', 'weight' => 2]]],
] as $options) {
	echo json_encode($options), "\n  ", $try($options), "\n";
}
echo "allowed\n";
foreach ([
	['permits' => '3', 'weight' => '3'], ['permits' => 4096], ['shared' => 'true'], ['permits' => 3, 'shared' => false],
	['permits' => 3, 'reentrant' => true], ['shared' => true, 'reentrant' => true, 'renew' => true],
	'redis://localhost?permits=3&weight=2', 'redis://localhost?shared=1',
] as $options) {
	echo json_encode($options), ' ', $try($options), "\n";
}
$lock = new RedisLock(['permits' => 3, 'name' => 'holders_options']);
echo outcome(fn () => $lock->keepAlive(0)), "\n";
echo outcome(fn () => (new RedisLock(['permits' => 2]))->lock('holders_options', RedisLock::NONBLOCKED, ['weight' => 3])), "\n";
echo outcome(fn () => new RedLock(['a', 'b', 'c'], options: ['permits' => 2])), "\n";
?>
--EXPECT--
{"permits":0}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" must be a whole number from 1 to 4096, 0 given
{"permits":4097}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" must be a whole number from 1 to 4096, 4097 given
{"permits":"many"}
  TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" must be a whole number from 1 to 4096, string given
{"permits":1.5}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" must be a whole number from 1 to 4096, 1.5 given
{"shared":"perhaps"}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "shared" must be true or false
{"permits":3,"weight":0}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "weight" must be a whole number from 1 to 4096, 0 given
{"permits":3,"weight":4}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "weight" must be at most the 3 of "permits", 4 given
{"permits":1,"weight":2}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "weight" must be at most the 1 of "permits", 2 given
{"permits":3,"shared":true}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" cannot be used with "shared": any number may share a lock, so there is nothing to count
{"permits":1,"shared":true}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" cannot be used with "shared": any number may share a lock, so there is nothing to count
{"permits":3,"servers":["a","b","c"]}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" cannot be used with "servers": a majority can agree on one holder, but not on several
{"shared":true,"servers":["a","b","c"]}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "shared" cannot be used with "servers": a majority can agree on one holder, but not on several
{"permits":3,"fence":true}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" cannot be used with "fence", which numbers holders in their order: several at a time have none
{"shared":true,"fence":true}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "shared" cannot be used with "fence", which numbers holders in their order: several at a time have none
{"permits":3,"weight":2,"reentrant":true}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" cannot be used with "reentrant" and a "weight" above 1: entered again, it would not count again
{"permits":3,"ttl":0}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "permits" needs a "ttl" above 0: it is what clears up after a holder that has vanished
{"shared":true,"ttl":0}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "shared" needs a "ttl" above 0: it is what clears up after a holder that has vanished
{"premits":3}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: unknown option "premits", did you mean "permits"?
{"weight":7}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "weight" needs "permits", of which it is a part
{"servers":[{"host":"a","weight":2}]}
  ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "weight" must be given beside the list "servers", not in it
allowed
{"permits":"3","weight":"3"} 'RedisLock'
{"permits":4096} 'RedisLock'
{"shared":"true"} 'RedisLock'
{"permits":3,"shared":false} 'RedisLock'
{"permits":3,"reentrant":true} 'RedisLock'
{"shared":true,"reentrant":true,"renew":true} 'RedisLock'
"redis:\/\/localhost?permits=3&weight=2" 'RedisLock'
"redis:\/\/localhost?shared=1" 'RedisLock'
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
ValueError: RedisLock::lock(): Argument #3 ($config) is not valid: option "weight" must be at most the 2 of "permits", 3 given
ValueError: RedisLock\RedLock::__construct(): Argument #4 ($options) is not valid: option "permits" cannot be used with "servers": a majority can agree on one holder, but not on several
