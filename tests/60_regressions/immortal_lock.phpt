--TEST--
the lock survives nobody: SIGKILL, exit() and a fatal error all free it long before its ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$ends = [
	'SIGKILL' => 'posix_kill(getmypid(), SIGKILL);',
	'exit()' => 'exit;',
	'fatal error' => 'eval("class Broken { function f(); }");',
];
foreach ($ends as $name => $code) {
	$php = new Php('SequenceTask::execute(["unix_socket" => $argv[1], "name" => "immortal_lock", "ttl" => 60, "interval" => 0.1],
		function () { echo "in\n"; pause(0.3, "renewals come amid it"); ' . $code . ' });', [$s->socket]);
	$php->await('in');
	$held = $redis('EXISTS', 'immortal_lock');
	$php->end();
	$start = now();
	SequenceTask::execute($s->options(['name' => 'immortal_lock', 'wait' => 30, 'retry_ms' => 5]), fn () => null);
	expect_taken("$name, held $held, free after", $start, 0, 0.3);
	/* Nobody is left who would renew it. */
	$redis('SET', 'immortal_lock', 'next', 'PX', 30);
	wait_until(fn () => !$redis('EXISTS', 'immortal_lock'), 5);
}
--EXPECT--
SIGKILL, held 1, free after: ok
exit(), held 1, free after: ok
fatal error, held 1, free after: ok
