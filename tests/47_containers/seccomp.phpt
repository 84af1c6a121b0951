--TEST--
containers: a seccomp profile that refuses pidfds and close_range changes nothing
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; require __DIR__ . '/../inc/ext.inc'; skip_unless_container(); skip_unless_compiler();
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$program = "$s->dir/refuse";
exec('gcc -O1 -Wall -Wextra -Werror -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/../ext/refuse.c') . ' 2>&1', $said, $status);
echo implode("\n", $said), $status === 0 ? "compiled\n" : "\n";
$job = new Job([$program], $s, 'seccomp', 1.5, 'works');
echo $job->said, "\n", 'renewed: ', json_encode(is_renewed($redis, 'seccomp', 1)), "\n";
$job->end();

for ($i = 0; $i < 5; $i++) {
	$job = new Job([$program], $s, "seccomp$i", 30, 'works');
	posix_kill($job->pid(0), SIGKILL);
	$seconds[] = seconds_until_free($redis, "seccomp$i");
	$job->end();
}
echo 'killed: free before its ttl: ', count(array_filter($seconds, fn ($s) => $s < 5)), " of 5\n";
--EXPECT--
compiled
holds
renewed: true
killed: free before its ttl: 5 of 5
