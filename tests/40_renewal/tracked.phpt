--TEST--
RedisLock\LockLostException: is thrown at once when the key is changed, long before the next renewal
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/tracked.inc';

const CHANGES = [
	'DEL' => ['DEL', 'tracked'],
	'UNLINK' => ['UNLINK', 'tracked'],
	'SET' => ['SET', 'tracked', 'somebody'],
	'RENAME' => ['RENAME', 'tracked', 'tracked-renamed'],
	'another type' => ['EVAL', 'redis.call("DEL", KEYS[1]) return redis.call("LPUSH", KEYS[1], 1)', '1', 'tracked'],
	'FLUSHALL' => ['FLUSHALL'],
	'FLUSHDB' => ['FLUSHDB'],
	/* Over before the script is, or the child would renew what is about to expire. */
	'expiry' => ['EVAL', 'redis.call("PEXPIRE", KEYS[1], 1) local from = os.clock() while os.clock() < from + 0.02 do end', '1', 'tracked'],
];
foreach (CHANGES as $name => $words) {
	$s = new Server;
	$redis = $s->client();
	$lock = tracked_lock($redis, $s->options(['name' => 'tracked']));
	echo "$name: ", told_of_loss(fn () => $redis(...$words)), "\n";
	echo $lock->isHeld() ? "it is held\n" : '';
}

/* One that was waited for. */
$s = new Server;
$redis = $s->client();
$before = new RedisLock($s->options(['name' => 'tracked', 'ttl' => 0.5]));
var_dump($before->acquire());
$lock = tracked_lock($redis, $s->options(['name' => 'tracked', 'wait' => 30]));
echo 'after a wait: ', told_of_loss(fn () => $redis('DEL', 'tracked')), "\n";

/* Two in one process, one of them with a long name. The other is not disturbed. */
$s = new Server;
$redis = $s->client();
$kept = tracked_lock($redis, $s->options(['name' => 'tracked']));
$long = 'tracked-' . str_repeat('x', 6000);
$lock = tracked_lock($redis, $s->options(['name' => $long]), 2);
echo 'a long name: ', told_of_loss(fn () => $redis('DEL', $long)), "\n";
var_dump($kept->isHeld(), $kept->release());

/* What somebody else does to the key, and it stays ours, is no loss; and the next change is told as well. */
$redis = $s->client(); /* the exception may have cut short the reading of a reply */
$lock = tracked_lock($redis, $s->options(['name' => 'tracked']));
$redis('PEXPIRE', 'tracked', '50000');
$_ = $lock->keepAlive();
$redis('SET', 'tracked', $lock->getToken(), 'XX', 'KEEPTTL');
echo 'after harmless changes: ', told_of_loss(fn () => $redis('DEL', 'tracked')), "\n";

/* A server that forgets all. */
$s = new Server;
$lock = tracked_lock($s->client(), $s->options(['name' => 'tracked']));
echo 'restarted: ', told_of_loss(function () use ($s) {
	$s->kill();
	$s->start();
}), "\n";
?>
--EXPECT--
DEL: told
UNLINK: told
SET: told
RENAME: told
another type: told
FLUSHALL: told
FLUSHDB: told
expiry: told
bool(true)
after a wait: told
a long name: told
bool(true)
bool(true)
after harmless changes: told
restarted: told
