--TEST--
RedisLock: numbers are read and written alike in every locale
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
require __DIR__ . '/../inc/comma.inc'; skip_unless_comma(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/comma.inc';
$server = new Server();
$redis = $server->client();
write_commas();
$lock = new RedisLock($server->options(['name' => 'locale', 'ttl' => '0.75']));
echo $lock, "\n", new RedisLock(['name' => 'locale', 'ttl' => 0.001]), ' ', new RedisLock(['name' => 'locale', 'ttl' => 300000000]), "\n";
$_ = $lock->acquire() && $lock->keepAlive(3.5);
echo preg_match('/held.*/', print_r($lock, true), $m) ? preg_replace('/\d+/', 'n', $m[0]) : '', "\n";
$said = unless_stalled(function () use ($server, $redis) {
	$redis('SET', 'locale:other', 'x', 'PX', 900);
	return outcome(fn () => SequenceTask::execute($server->options(['name' => 'locale:other']), fn () => null));
}, fn ($said) => str_contains($said, 'left'));
echo preg_replace('/\d+/', 'n', $said), "\n";
foreach ([['ttl' => '0,75'], ['ttl' => 0.5, 'renew' => true, 'interval' => 0.75], ['ttl' => -0.5], ['connect_timeout' => 12345678.5]] as $wrong) {
	echo outcome(fn () => new RedisLock($server->options($wrong))), "\n";
}
echo outcome(fn () => $lock->keepAlive(-0.5)), "\n";
ini_set('redislock.ttl', '0.25');
echo new RedisLock(['name' => 'locale'] + $server->options()), "\n";
?>
--EXPECT--
locale[0.75]
locale[0.001] locale[300000000]
held, n.n s left
RedisLock\NotAcquiredException: lock "locale:other": held by somebody else, n.n s left unless renewed
TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, string given
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "interval" must be less than the ttl of 0.5 seconds, 0.75 given
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -0.5 given
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "connect_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, 12345678.5 given
ValueError: RedisLock::keepAlive(): Argument #1 ($ttl) is not valid: it must be 0, or a number of seconds of at least 0.001 and at most 315360000, -0.5 given
locale[0.25]
