--TEST--
SequenceTask::execute(): the lock of a killed process is free at once
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

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
	$php = new Php(sprintf($task, $code), [$s->socket], ['zend.signal_check=0']);
	$php->await('in');
	if ($signal > 0) {
		$php->signal($signal);
	}
	$php->rest();
	$start = now();
	$other = new RedisLock($s->options(['name' => 'ends_killed', 'retry' => 1, 'ttl' => 30]));
	echo $other->acquire(10) ? '' : 'never free: ';
	expect_between($name . ' ' . json_encode($php->end()), now() - $start, 0, 3);
	$other->release();
}
--EXPECT--
SIGTERM by default {"signal":15}: ok
SIGINT by default {"signal":2}: ok
SIGHUP by default {"signal":1}: ok
SIGKILL, asleep {"signal":9}: ok
SIGKILL, busy {"signal":9}: ok
SIGKILL, stopped {"signal":9}: ok
SIGSEGV by itself {"signal":11}: ok
SIGABRT by itself {"signal":6}: ok
