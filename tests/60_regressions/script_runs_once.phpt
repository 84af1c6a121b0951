--TEST--
the code behind the task runs once: no copy of the process goes on with it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$file = "$s->dir/trace";
$php = new Php('
file_put_contents($argv[2], "before\n", FILE_APPEND);
for ($i = 0; $i < 3; $i++) {
	$result = SequenceTask::execute(["unix_socket" => $argv[1], "name" => "script_runs_once", "ttl" => 1], function () {
		pause(0.5, "a renewal comes amid it");
		return "result";
	});
	file_put_contents($GLOBALS["argv"][2], "$result\n", FILE_APPEND);
}
try {
	SequenceTask::execute(["unix_socket" => $argv[1], "name" => "script_runs_once"], fn () => throw new Exception);
} catch (Exception) {
	file_put_contents($argv[2], "exception\n", FILE_APPEND);
}
file_put_contents($argv[2], "after\n", FILE_APPEND);
echo "end of script\n";
', [$s->socket, $file]);
echo $php->rest(), json_encode($php->end()), "\n", file_get_contents($file);
--EXPECT--
end of script
{"exit":0}
before
result
result
result
exception
after
