--TEST--
SequenceTask::execute(): not executed when somebody else has the lock, and says who
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$holder = new RedisLock($s->options(['name' => 'not_acquired', 'ttl' => 30, 'label' => 'nightly job']));
$_ = $holder->acquire();

function attempt(array $config): void
{
	try {
		with_holder(fn () => SequenceTask::execute($config, function () {
			echo "must not run\n";
		}));
	} catch (RedisLock\NotAcquiredException $e) {
		$found = $e->getHolder();
		echo preg_replace(['/on \S+ \(process \d+\)/', '/process \d+ on [^,]+/', '/\d+ s left/'], ['on H (process P)', 'process P on H', 'N s left'], $e->getMessage()), ' retryable: ',
			var_export($e->isRetryable(), true), "\n";
		if ($found) {
			echo json_encode(['pid' => $found['pid'] === getmypid(), 'host' => $found['host'] === gethostname(),
				'label' => $found['label'], 'resting' => $found['resting']]), "\n";
			expect_between('getRemaining()', $e->getRemaining() ?? -1, 20, 30);
		}
	}
}

attempt($s->options(['name' => 'not_acquired']));
/* Given away, its token still names this process. */
$token = $holder->detach();
attempt($s->options(['name' => 'not_acquired']));
$redis('SET', 'not_acquired', "$token:done", 'PX', 30000);
attempt($s->options(['name' => 'not_acquired']));
$other = preg_replace('/:\d+:/', ':4711:', $token);
$redis('SET', 'not_acquired', $other, 'PX', 30000);
attempt($s->options(['name' => 'not_acquired']));
$redis('SET', 'not_acquired', preg_replace('/:[^:]+:[0-9a-f]+$/', '::' . str_repeat('a', 32), $other), 'PX', 30000);
attempt($s->options(['name' => 'not_acquired']));

$redis('SET', 'not_acquired', 'a token of another make', 'PX', 30000);
attempt($s->options(['name' => 'not_acquired']));

/* Without an expiry. */
$redis('PERSIST', 'not_acquired');
try {
	with_holder(fn () => SequenceTask::execute($s->options(['name' => 'not_acquired']), 'time'));
} catch (RedisLock\NotAcquiredException $e) {
	var_dump($e->getHolder()['token'], $e->getHolder()['pid'], $e->getHolder()['ttl'], $e->getRemaining());
}
var_dump($redis('GET', 'not_acquired'));
--EXPECT--
lock "not_acquired": held by this process itself; see "reentrant" retryable: true
{"pid":true,"host":true,"label":"nightly job","resting":false}
getRemaining(): ok
lock "not_acquired": held by this process itself; see "reentrant" retryable: true
{"pid":true,"host":true,"label":"nightly job","resting":false}
getRemaining(): ok
lock "not_acquired": kept by "hold_at_least" or "linger" of nightly job on H (process P), N s left retryable: true
{"pid":true,"host":true,"label":"nightly job","resting":true}
getRemaining(): ok
lock "not_acquired": held by nightly job on H (process P), N s left unless renewed retryable: true
{"pid":false,"host":true,"label":"nightly job","resting":false}
getRemaining(): ok
lock "not_acquired": held by process P on H, N s left unless renewed retryable: true
{"pid":false,"host":true,"label":null,"resting":false}
getRemaining(): ok
lock "not_acquired": held by somebody else, N s left unless renewed retryable: true
{"pid":false,"host":false,"label":null,"resting":false}
getRemaining(): ok
string(23) "a token of another make"
NULL
NULL
NULL
string(23) "a token of another make"
