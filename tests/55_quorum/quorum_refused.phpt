--TEST--
Quorums: what a majority refuses for good ends a wait at once, and is not retryable
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$strict = servers(2, true, '--requirepass', 'secret');
$open = new Server(true);
$config = ['name' => 'quorum_refused', 'password' => 'wrong', 'servers' => addresses([...$strict, $open])];
$config['servers'][2]['password'] = '';
$told = function (callable $try) {
	$start = now();
	try {
		$try();
		echo "no exception\n";
	} catch (RedisLock\ConnectionException $e) {
		echo strtok($e->getMessage(), '('), $e->isRetryable() ? 'may succeed later' : 'will not succeed', "\n";
	}
	return now() - $start;
};

expect_between('seconds', $told(fn () => (new RedisLock($config))->acquire(60)), 0, 20);
expect_between('seconds', $told(fn () => SequenceTask::execute($config + ['wait' => 60], fn () => print("must not run\n"))), 0, 20);
$red = new RedLock($config['servers'], 60000, 5, ['password' => 'wrong']);
expect_between('seconds', $told(fn () => $red->lock('quorum_refused', 10000)), 0, 20);

echo "one refuses, one is away: that may be over soon\n";
$config['servers'][0]['password'] = 'secret';
$open->kill();
$told(fn () => (new RedisLock($config))->acquire());
?>
--EXPECTF--
lock "quorum_refused": no majority of the servers, 2 of 3 failed: the server refused the credentials: WRONGPASS invalid username-password pair%S will not succeed
seconds: ok
lock "quorum_refused": no majority of the servers, 2 of 3 failed: the server refused the credentials: WRONGPASS invalid username-password pair%S will not succeed
seconds: ok
lock "quorum_refused": no majority of the servers, 2 of 3 failed: the server refused the credentials: WRONGPASS invalid username-password pair%S will not succeed
seconds: ok
one refuses, one is away: that may be over soon
lock "quorum_refused": no majority of the servers, 2 of 3 failed: the server refused the credentials: WRONGPASS invalid username-password pair%S may succeed later
