--TEST--
RedLock::extend() without a ttl: false for what is over, refused for a lock made elsewhere, and never without expiry
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$s = new Server;
$redis = $s->client();
/* Busy machines need the time, and whoever asks a frozen server waits for it. */
$server = ['path' => $s->socket, 'timeout' => 2, 'read_timeout' => 2];
$red = new RedLock([$server], 1, 100);
$other = new RedLock([$server]);

echo "over\n";
$over = $red->lock('extend_without_ttl:over', 50);
wait_until(fn () => !$redis('EXISTS', 'extend_without_ttl:over'));
$red->lock('extend_without_ttl:next', 60000);
var_dump($red->extend($over), $red->extend($over), $other->extend($over));

echo "over here, extended by another\n";
wait_until(function () use ($red, $other, &$lock) {
	$lock = $red->lock('extend_without_ttl:longer', 200);
	return $other->extend($lock, 60000);
});
pause(0.5, 'twice the ttl it was locked for is over');
$red->lock('extend_without_ttl:after', 60000);
echo outcome(fn () => $red->extend($lock)), "\n";

/* Asking is no taking over: no renewal, and no release in the end. */
echo "made elsewhere\n";
$bound = new RedLock([$server], 1, 100, ['renew' => true]);
$lock = $red->lock('extend_without_ttl:elsewhere', 60000);
echo outcome(fn () => $bound->extend($lock)), "\n";
echo renewal_child(getmypid()) ? 'renewed' : 'not renewed', ', ', $redis('EXISTS', 'extend_without_ttl:elsewhere') ? 'there' : 'gone', "\n";

echo "after an extension without an answer\n";
$s->freeze();
$said = outcome(fn () => $other->extend($lock, 60000));
$s->thaw();
echo strtok($said, ':'), "\n";
wait_until(function () use ($other, $lock, &$said) {
	$said = outcome(fn () => $other->extend($lock));
	return !str_starts_with($said, 'RedisLock\ConnectionException');
});
echo $said, "\n";
expect_between('ttl', $redis('PTTL', 'extend_without_ttl:elsewhere'), 1, 60000);
?>
--EXPECT--
over
bool(false)
bool(false)
bool(false)
over here, extended by another
ValueError: RedisLock\RedLock::extend(): Argument #2 ($ttl) must be given for a lock that this object did not make, or has forgotten since its validity was over
made elsewhere
ValueError: RedisLock\RedLock::extend(): Argument #2 ($ttl) must be given for a lock that this object did not make, or has forgotten since its validity was over
not renewed, there
after an extension without an answer
RedisLock\ConnectionException
ValueError: RedisLock\RedLock::extend(): Argument #2 ($ttl) must be given for a lock that this object did not make, or has forgotten since its validity was over
ttl: ok
