--TEST--
renewal child: under 1 MB of private memory, whatever its parent has
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$php = new Php('
ini_set("memory_limit", "512M");
$data = [];
for ($i = 0; $i < 128; $i++) {
	$data[] = str_repeat(chr($i), 1 << 20);
}
$config = ["unix_socket" => $argv[1], "name" => "child_memory", "ttl" => 30, "interval" => 0.02];
SequenceTask::execute($config, function () use (&$data) {
	wait_until(fn () => renewal_child(getmypid()));
	/* Every page rewritten would be a page copied for the child. */
	foreach ($data as &$block) {
		for ($i = 0; $i < 1 << 20; $i += 4096) {
			$block[$i] = "x";
		}
	}
	echo "in\n";
	fgets(STDIN);
});
', [$s->socket]);
$php->await('in');
$redis = $s->client();
$redis('CONFIG', 'RESETSTAT');
wait_until(fn () => preg_match('/cmdstat_pexpire:calls=[5-9]/', $redis('INFO', 'commandstats')));

expect_between('parent (kB)', private_kb($php->pid), 128 * 1024, 300 * 1024);
expect_between('child (kB)', private_kb(renewal_child($php->pid)), 1, 1024);
$php->tell('go');
--EXPECT--
parent (kB): ok
child (kB): ok
