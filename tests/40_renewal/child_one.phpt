--TEST--
renewal child: one for all locks of a process, gone with the request
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
/* Its command line is empty once it is but a zombie. */
$gone = fn (int $pid) => comes_true(fn () => @file_get_contents("/proc/$pid/cmdline") == '');

$php = new Php('
$locks = [];
echo renewal_child(getmypid()), "\n";
for ($i = 0; $i < 100; $i++) {
	($locks[] = new RedisLock(["unix_socket" => $argv[1], "name" => "child_one-$i", "ttl" => 30, "renew" => true]))->acquire();
}
wait_until(fn () => @file_get_contents("/proc/" . renewal_child(getmypid()) . "/cmdline")[0] === "r");
echo "in\n";
fgets(STDIN);
', [$s->socket]);
echo 'before the first lock: ', $php->line(), "\n";
$php->await('in');

$children = [];
foreach (explode(' ', trim(file_get_contents("/proc/$php->pid/task/$php->pid/children"))) as $pid) {
	$children[] = [rtrim(file_get_contents("/proc/$pid/cmdline"), "\0"), rtrim(file_get_contents("/proc/$pid/comm"))];
}
echo json_encode($children), "\n";
echo 'held: ', $redis('DBSIZE'), "\n";
$child = renewal_child($php->pid);
$php->tell('go');
echo json_encode($php->end()), ' held: ', $redis('DBSIZE'), "\n";
var_dump($gone($child));

/* With the process when that is killed, too. */
$php = new Php('SequenceTask::execute(["unix_socket" => $argv[1], "name" => "child_one"], function () { wait_until(fn () => renewal_child(getmypid()));
	echo "in\n"; sleep(60); });', [$s->socket]);
$php->await('in');
$child = renewal_child($php->pid);
$php->signal(SIGKILL);
var_dump($child > 0, $gone($child));
--EXPECT--
before the first lock: 0
[["redislock: renew","redislock:renew"]]
held: 100
{"exit":0} held: 0
bool(true)
bool(true)
bool(true)
