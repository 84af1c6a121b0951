--TEST--
RedisLock: a key that holds something else than a lock: said, and never deleted
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$make = [
	'hash' => ['HSET', 'no_lock', 'name', 'Ann'],
	'list' => ['RPUSH', 'no_lock', 'a'],
	'set' => ['SADD', 'no_lock', 'a'],
	'stream' => ['XADD', 'no_lock', '*', 'a', 'b'],
	/* As Symfony's own store keeps its locks: held by somebody else, then. */
	'zset' => ['ZADD', 'no_lock', '1', 'a'],
];
$said = fn (callable $do) => preg_replace(['~ \(unix:[^)]*\)~', '~NOPERM [^(]*evalsha[^(]* command( or its subcommand)?~'], ['', 'NOPERM ...'], outcome($do));
/* What the key is has to be heard within 50 ms, else somebody has the lock. */
$not_acquired = function (callable $do) use ($said, &$type) {
	return unless_stalled(fn () => $said(fn () => with_holder($do)), fn (string $text) => $type === 'zset' || str_contains($text, 'the key holds'));
};
foreach ($make as $type => $command) {
	echo "$type\n";
	$lock = new RedisLock($s->options(['name' => 'no_lock', 'retry_ms' => 10]));
	$redis(...$command);
	$before = $redis('DUMP', 'no_lock');
	each_outcome([
		' acquire' => fn () => $lock->acquire(),
		' acquire, waiting' => fn () => $lock->acquire(0.5),
		' lock' => fn () => (new RedisLock($s->options()))->lock('no_lock'),
		' execute' => fn () => SequenceTask::execute($s->options(['name' => 'no_lock']), fn () => 'ran'),
	], $not_acquired);
	each_outcome([
		' holder' => fn () => isset($lock->holder()['token']) ? 'somebody' : 'nobody',
		' forceRelease' => fn () => $lock->forceRelease(),
		' forceRelease, many' => fn () => (new RedisLock(['servers' => ["unix:$s->socket"], 'name' => 'no_lock', 'timeout' => 2, 'read_timeout' => 2]))->forceRelease(),
		' not held' => fn () => $lock->release(),
	], $said);
	$redis('DEL', 'no_lock');
	foreach ([' release' => false, ' release, process-bound' => true] as $what => $bound) {
		[$released, $held] = unless_stalled(function () use ($s, $bound, $redis, $command, $said) {
			$held = new RedisLock($s->options(['name' => 'no_lock', 'renew' => $bound, 'on_lost' => 'flag']));
			$redis('DEL', 'no_lock');
			$_ = $held->acquire();
			$redis('DEL', 'no_lock');
			$redis(...$command);
			return [$said(fn () => $held->release()), $said(fn () => $held->isHeld())];
		}, fn (array $came) => $type === 'zset' || str_contains($came[0], 'the key holds'));
		step($what, $released);
		step(' then', $held);
		$redis('DEL', 'no_lock');
	}
	$redis(...$command);
	echo ' untouched: ', json_encode($type === 'stream' || $redis('DUMP', 'no_lock') === $before), "\n";
	$redis('DEL', 'no_lock');
	var_dump($lock->acquire(), $lock->release());
}

echo "after a lock, by which the same object was refused\n";
foreach (['acquire', 'lock'] as $call) {
	$lock = new RedisLock($s->options(['name' => 'no_lock']));
	$try = fn () => $call === 'lock' ? $lock->lock('no_lock') : $lock->acquire();
	$redis('SET', 'no_lock', 'somebody');
	var_dump($try(), $try());
	$redis('DEL', 'no_lock');
	$redis('HSET', 'no_lock', 'name', 'Ann');
	/* As above: it has to be heard in time. */
	echo " $call: ", unless_stalled(fn () => $said($try), fn (string $text) => str_contains($text, 'the key holds')), "\n";
	$redis('DEL', 'no_lock');
}

echo "a user who may not ask what it is, and one who may run no scripts\n";
$redis('HSET', 'no_lock', 'name', 'Ann');
$redis('ACL', 'SETUSER', 'few', 'on', '>p', '~*', '-@all', '+set', '+get', '+del', '+exists', '+pexpire', '+persist', '+pttl',
	'+lpush', '+lindex', '+lset', '+blpop', '+eval', '+evalsha', '+ltrim', ...(server_is_before('6.2') ? [] : ['+copy']));
$redis('ACL', 'SETUSER', 'none', 'on', '>p', '~*', '-@all', '+set', '+get', '+del', '+pttl');
foreach (['few', 'none'] as $user) {
	$lock = new RedisLock($s->options(['name' => 'no_lock', 'username' => $user, 'password' => 'p']));
	each_outcome([' acquire' => fn () => $lock->acquire(), ' forceRelease' => fn () => $lock->forceRelease()], $said);
}
var_dump($redis('HGET', 'no_lock', 'name'));
--EXPECT--
hash
 acquire: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 acquire, waiting: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 lock: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 execute: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 holder: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 forceRelease, many: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 not held: 'false'
 release: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 then: 'false'
 release, process-bound: 'RedisLock\\Exception: lock "no_lock": the key holds a hash, not a lock'
 then: 'false'
 untouched: true
bool(true)
bool(true)
list
 acquire: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 acquire, waiting: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 lock: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 execute: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 holder: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 forceRelease, many: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 not held: 'false'
 release: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 then: 'false'
 release, process-bound: 'RedisLock\\Exception: lock "no_lock": the key holds a list, not a lock'
 then: 'false'
 untouched: true
bool(true)
bool(true)
set
 acquire: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 acquire, waiting: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 lock: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 execute: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 holder: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 forceRelease, many: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 not held: 'false'
 release: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 then: 'false'
 release, process-bound: 'RedisLock\\Exception: lock "no_lock": the key holds a set, not a lock'
 then: 'false'
 untouched: true
bool(true)
bool(true)
stream
 acquire: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 acquire, waiting: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 lock: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 execute: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 holder: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 forceRelease, many: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 not held: 'false'
 release: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 then: 'false'
 release, process-bound: 'RedisLock\\Exception: lock "no_lock": the key holds a stream, not a lock'
 then: 'false'
 untouched: true
bool(true)
bool(true)
zset
 acquire: 'false'
 acquire, waiting: 'false'
 lock: 'false'
 execute: 'RedisLock\\NotAcquiredException: lock "no_lock": held by somebody else, without expiry'
 holder: '\'somebody\''
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds a sorted set, not a lock'
 forceRelease, many: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 not held: 'false'
 release: 'false'
 then: 'false'
 release, process-bound: 'false'
 then: 'false'
 untouched: true
bool(true)
bool(true)
after a lock, by which the same object was refused
bool(false)
bool(false)
 acquire: RedisLock\Exception: lock "no_lock": the key holds a hash, not a lock
bool(false)
bool(false)
 lock: RedisLock\Exception: lock "no_lock": the key holds a hash, not a lock
a user who may not ask what it is, and one who may run no scripts
 acquire: 'false'
 forceRelease: 'RedisLock\\Exception: lock "no_lock": the key holds something else than a string, not a lock'
 acquire: 'false'
 forceRelease: 'RedisLock\\ConnectionException: lock "no_lock": redislock needs the right to EVAL and EVALSHA, but the server answered: NOPERM ...'
string(3) "Ann"
