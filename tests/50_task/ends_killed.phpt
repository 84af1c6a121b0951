--TEST--
SequenceTask::execute(): the lock of a killed process is free at once
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

/* The address sanitizer would turn SIGSEGV into an exit. */
putenv('ASAN_OPTIONS=handle_segv=0:' . getenv('ASAN_OPTIONS'));
$s = new Server;
$redis = $s->client();
$task = 'SequenceTask::execute(["unix_socket" => $argv[1], "name" => "ends_killed", "ttl" => 30], function () { echo "in\n"; %s });';
$ends = [
	'SIGTERM by default' => ['sleep(60);', SIGTERM],
	'SIGINT by default' => ['sleep(60);', SIGINT],
	'SIGHUP by default' => ['sleep(60);', SIGHUP],
	'SIGKILL, asleep' => ['sleep(60);', SIGKILL],
	'SIGKILL, busy' => ['for (;;);', SIGKILL],
	'SIGKILL, stopped' => ['posix_kill(getmypid(), SIGSTOP);', SIGKILL],
	'SIGSEGV by itself' => ['posix_kill(getmypid(), SIGSEGV);', 0],
	'SIGABRT by itself' => ['posix_kill(getmypid(), SIGABRT);', 0],
];
foreach ($ends as $name => [$code, $signal]) {
	$ends = [];
	expect_within($name, 0.05, function () use ($s, $task, $code, $signal, &$ends) {
		$php = new Php(sprintf($task, $code), [$s->socket], ['zend.signal_check=0']);
		$php->await('in');
		if ($signal > 0) {
			$php->signal($signal);
		}
		$php->rest();
		$start = now();
		$other = new RedisLock($s->options(['name' => 'ends_killed', 'retry_ms' => 1, 'ttl' => 30]));
		echo $other->acquire(10) ? '' : 'never free: ';
		$seconds = taken($start);
		$other->release();
		$ends[json_encode($php->end())] = true;
		return $seconds;
	}, 10);
	echo implode(' ', array_keys($ends)), "\n";
}
--EXPECT--
SIGTERM by default: ok
{"signal":15}
SIGINT by default: ok
{"signal":2}
SIGHUP by default: ok
{"signal":1}
SIGKILL, asleep: ok
{"signal":9}
SIGKILL, busy: ok
{"signal":9}
SIGKILL, stopped: ok
{"signal":9}
SIGSEGV by itself: ok
{"signal":11}
SIGABRT by itself: ok
{"signal":6}
