--TEST--
RedisLock::upgrade(): of two who may not block one gives up at once, and the other one keeps the turnstile
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$redis('ACL', 'SETUSER', 'polls', 'on', '>secret', '~*', '+@all', '-blpop');
$options = $server->options(['name' => 'upgrade_polls', 'username' => 'polls', 'password' => 'secret', 'shared' => true]);
$busy = new RedisLock($server->options(['name' => 'upgrade_polls:busy']));
$_ = $busy->acquire();

/* Both have learned before that they may not. */
$php = Php::program(__DIR__ . '/upgrade_polls.inc', [base64_encode(serialize($options))]);
$php->await('shares');
$lock = new RedisLock($options);
step('it polls', $lock->lock('upgrade_polls:busy', RedisLock::BLOCKED, ['waitTime' => 0.1]), $lock->acquire());

$turn = '{upgrade_polls}:rlk:turn';
/* Where all stands still for 2 s, the turn is over. */
echo json_encode(unless_stalled(function () use ($php, $lock, $redis, $turn) {
	$php->tell('upgrade');
	/* Less than all of it, else there is no more to see. */
	wait_until(function () use ($redis, $turn, &$left) {
		$left = $redis('PTTL', $turn);
		return $left > 0 && $left < 2000;
	});
	$kept = comes_true(fn () => $redis('PTTL', $turn) > $left);
	$given_up = !$lock->upgrade(20);
	$waits = $redis('EXISTS', $turn) === 1;
	$lock->release();
	$upgraded = $php->line();
	$php->tell('downgrade');
	$php->await('shares');

	return [$kept, $given_up, $waits, $upgraded, $lock->acquire()];
}, fn (array $got) => $got === [true, true, true, 'alone', true])), "\n";
?>
--EXPECT--
it polls: false, true
[true,true,true,"alone",true]
