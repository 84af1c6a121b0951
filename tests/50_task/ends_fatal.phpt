--TEST--
SequenceTask::execute(): the lock is free after a fatal error, without help of the renewal child
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
/* A stopped renewal child cannot be the one who releases. */
$freeze = 'function freeze_child() {
	/* Once it has its name it is ready, and holds nothing of its parent any more. */
	wait_until(fn () => str_starts_with((string) @file_get_contents("/proc/" . renewal_child(getmypid()) . "/comm"), "redislock"));
	stop_process(renewal_child(getmypid()) ?: exit("no child\n"));
}
';
$ends = [
	'E_USER_ERROR' => 'trigger_error("user error", E_USER_ERROR);',
	'compile error' => 'eval("class Broken { function f(); }");',
	'compile error in a file' => 'file_put_contents($file = tempnam(sys_get_temp_dir(), "rlk"), "<?php class Broken { function f(); }");
		register_shutdown_function(unlink(...), $file); require $file;',
	'redeclared function' => 'eval("function now() {}");',
	'memory_limit' => 'for ($x = [];;) { $x[] = str_repeat("x", 100000); }',
	'memory_limit in a fiber' => '(new Fiber(function () { for ($x = [];;) { $x[] = str_repeat("x", 100000); } }))->start();',
	'max_execution_time' => 'set_time_limit(1); for (;;);',
];

/* In a fiber PHP 8.6 ends without a message, with or without us. */
foreach ($ends as $name => $code) {
	$php = new Php($freeze . 'register_shutdown_function(fn () => print("shutdown functions run\n"));
		SequenceTask::execute(["unix_socket" => $argv[1], "name" => "ends_fatal", "ttl" => 30], function () {
			freeze_child(); echo "in\n"; ' . $code . ' }); echo "not reached\n";', [$s->socket],
		['memory_limit=32M']);
	$php->await('in');
	preg_match('/Fatal error: +([\w-]+ \w+)/', $out = $php->rest(), $m);
	echo "$name: ", $m[1] ?? $out, str_contains($out, 'shutdown functions run') ? '' : ' (no shutdown functions)',
		str_contains($out, 'not reached') ? ' (went on)' : '', ' ', json_encode($php->end()), ' held ',
		$redis('EXISTS', 'ends_fatal'), "\n";
}
--EXPECTF--
E_USER_ERROR: user error {"exit":255} held 0
compile error: Non-abstract method {"exit":255} held 0
compile error in a file: Non-abstract method {"exit":255} held 0
redeclared function: Cannot redeclare {"exit":255} held 0
memory_limit: Allowed memory {"exit":255} held 0
memory_limit in a fiber: %A{"exit":255} held 0
max_execution_time: Maximum execution {"exit":255} held 0
