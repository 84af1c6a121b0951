--TEST--
Scripts refused by rights or vendor: compare commands, else an error that says so, and no lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/translator.inc';
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$no_scripts = ['eval', 'evalsha'];

function everything(array $options, Client $redis): void
{
	$lock = new RedisLock($options + ['name' => 'scriptless', 'ttl' => 5]);
	$other = new RedisLock($options + ['name' => 'scriptless', 'ttl' => 5]);
	var_dump($lock->acquire(), $other->acquire(), $lock->isAcquired(), $lock->remaining() > 4.5);
	var_dump($lock->holder()['pid'] === getmypid(), $lock->keepAlive(20), $redis('PTTL', 'scriptless') > 19000);
	var_dump($lock->keepAlive(0), $redis('PTTL', 'scriptless'));
	var_dump($lock->release(), $redis('EXISTS', 'scriptless'), $lock->holder());
	/* Taken over by another: seen by each, touched by none. */
	foreach (['release', 'keepAlive', 'isAcquired'] as $method) {
		$lock->acquire();
		$redis('SET', 'scriptless', 'other');
		var_dump($lock->$method(), $redis('GET', 'scriptless'));
		$redis('DEL', 'scriptless');
		$lock->acquire();
		$redis('DEL', 'scriptless');
		$redis('ZADD', 'scriptless', 1, 'a');
		var_dump($lock->$method(), $redis('DEL', 'scriptless'));
	}
	$lock->acquire();
	var_dump($other->forceRelease(), $other->forceRelease(), $lock->release());
	/* Put at rest. */
	$resting = new RedisLock($options + ['name' => 'scriptless', 'ttl' => 5, 'hold_at_least' => 9]);
	$resting->acquire();
	var_dump($resting->release(), str_ends_with($redis('GET', 'scriptless'), ':done'), $redis('PTTL', 'scriptless') > 8000);
	$redis('DEL', 'scriptless');
	/* Waiting is polling. */
	$lock->acquire();
	$redis('PEXPIRE', 'scriptless', 30);
	var_dump($other->acquire(5), $other->release());
}

ob_start();
everything($server->options(), $redis);
$expected = ob_get_clean();
echo substr_count($expected, "\n"), " lines\n";
$compare = function (string $name, array $options) use ($redis, $expected) {
	ob_start();
	everything($options, $redis);
	$got = ob_get_clean();
	echo "$name: ", $got === $expected ? 'as with scripts' : $got, "\n";
};
foreach (['delex', 'delifeq'] as $native) {
	$translator = new Translator($server, $native, $no_scripts);
	$compare($native, $translator->options());
	echo implode(' ', array_unique(array_map(fn ($line) => strtok($line, ' '), $translator->commands()))), "\n";

	/* Renewed by the child in the same way, and freed at death. */
	$holder = new Php('
		$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "bound", "ttl" => 3, "interval" => 0.05, "renew" => true]);
		$lock->acquire();
		echo "holds\n";
		fgets(STDIN);', [$translator->socket]);
	$holder->await('holds');
	$ttl = $renewals = 0;
	wait_until(function () use ($redis, &$ttl, &$renewals) {
		[$before, $ttl] = [$ttl, $redis('PTTL', 'bound')];
		return ($renewals += (int) ($ttl > $before)) > 3;
	});
	echo $renewals > 3 ? 'renewed' : 'not renewed', "\n";
	$holder->signal(SIGKILL);
	$killed = now();
	wait_until(fn () => $redis('EXISTS', 'bound') === 0);
	expect_taken('freed', $killed, 0, 2);
	$holder->end();
}
/* By rights, on a server that may have compare commands itself. */
$redis('ACL', 'SETUSER', 'most', 'on', '>pw', '~*', '+@all', '-eval', '-evalsha');
$has = array_filter($redis('COMMAND', 'INFO', 'delex', 'delifeq')) !== [];
$most = $server->options(['auth' => ['most', 'pw']]);
if ($has) {
	$compare('by rights', $most);
} else {
	echo 'by rights: ', str_contains(outcome(fn () => (new RedisLock($most + ['name' => 'rights']))->acquire()), 'neither DELEX nor DELIFEQ') ?
		'as with scripts' : 'not refused', "\n";
	$redis('DEL', 'rights');
}

/* Without either there is no lock. The key that was set to find out cannot be deleted by comparing, and is left to its ttl.
   Meanwhile it does not pass for another's. */
$translator = new Translator($server, '', $no_scripts);
$none = $translator->options(['name' => 'none', 'ttl' => 20, 'auth' => 'pw']);
$redis('CONFIG', 'SET', 'requirepass', 'pw');
foreach (['taken', 'met'] as $label) {
	echo outcome(fn () => (new RedisLock($none + ['label' => $label]))->acquire()), "\n";
}
echo outcome(fn () => SequenceTask::execute(['name' => 'bound'] + $none, fn () => 'never')), "\n";
$redis('AUTH', 'pw');
var_dump($redis('EXISTS', 'none'), $redis('PTTL', 'bound') <= 20000);
?>
--EXPECTF--
32 lines
delex: as with scripts
SET EVALSHA PTTL GET DELEX TYPE DEL
renewed
freed: ok
delifeq: as with scripts
SET EVALSHA PTTL GET DELEX DELIFEQ TYPE DEL
renewed
freed: ok
by rights: as with scripts
RedisLock\ConnectionException: lock "none": the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released (unix://%s)
RedisLock\ConnectionException: lock "none": the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released (unix://%s)
RedisLock\ConnectionException: lock "bound": the server refuses EVAL and EVALSHA, and has neither DELEX nor DELIFEQ for this user, so that locks could not be released (unix://%s)
int(1)
bool(true)
