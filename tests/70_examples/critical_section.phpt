--TEST--
examples/critical_section.php: no count is lost between four processes
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
putenv("REDIS_URL=unix:$server->socket");
$file = "$server->dir/counter";
$code = 'require ' . var_export(dirname(__DIR__, 2) . '/examples/critical_section.php', true) . ';';

$processes = array_map(fn () => new Php($code, [$file, '25']), range(1, 4));
foreach ($processes as $process) {
	echo str_replace($process->pid, 'PID', $process->rest());
	echo json_encode($process->end()), "\n";
}
echo file_get_contents($file), " counts\n";
?>
--EXPECTF--
process PID: counted 25 times, the last time to %d
{"exit":0}
process PID: counted 25 times, the last time to %d
{"exit":0}
process PID: counted 25 times, the last time to %d
{"exit":0}
process PID: counted 25 times, the last time to %d
{"exit":0}
100 counts
