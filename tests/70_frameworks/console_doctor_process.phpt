--TEST--
redislock doctor: what it finds of locks, and of the process
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
require __DIR__ . '/../inc/container.inc';
require __DIR__ . '/../inc/ext.inc';
skip_unless_console();
skip_unless_container();
skip_unless_compiler();
?>
--FILE--
<?php
require __DIR__ . '/../inc/doctor.inc';
require __DIR__ . '/../inc/container.inc';

$server = new Server;
$redis = $server->client();
$at = at_server($server);
$program = "$server->dir/refuse";
exec('gcc -O1 -Wall -Wextra -Werror -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/../ext/refuse.c') . ' 2>&1', $said, $status);
echo implode("\n", $said);
echo "-- the process\n";
$runs = [
	'thread' => examine($at, ['redislock.renewal=thread']),
	'off' => examine($at, ['redislock.renewal=off']),
	'process 1' => examine($at, [], mounts_of_its_own(...CONTAINER)),
	'seccomp' => examine($at, [], [$program, '--fork']),
	'other times' => examine(at_server($server, 'interval=8&hold_at_least=60')),
];
foreach ($runs as $step => $run) {
	found($step, $run);
}
step('left', $redis('KEYS', '*'));

echo "-- locks\n";
foreach (['once', 'twice'] as $name) {
	$redis('SET', "console_doctor_process:$name", RedisLock::newToken());
	found('expiry', examine($at));
}
?>
--EXPECTF--
-- the process
thread: 0
	thread (note): a thread of this process renews its locks
off: 0
	renewal (note): redislock.renewal is off
process 1: 0
	init (note): PHP is process 1 of its container
seccomp: 1
	seccomp (problem): no process-bound lock can be renewed here: lock "redislock-doctor-%s": the renewal child could not be started: clone: Operation not permitted
other times: 0
left: array (
)
-- locks
expiry: 1
	expiry (problem): console_doctor_process:once never expires
expiry: 1
	expiry (problem): console_doctor_process:once, console_doctor_process:twice never expire
