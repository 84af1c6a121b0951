--TEST--
containers: after an OOM kill of the process the lock is free at once, if PID 1 is another one; else after its ttl at the latest
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container('memory');
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$group = new ControlGroup('memory');
$group->set(64 << 20);
$container = [...$group->command(), ...mounts_of_its_own(...CONTAINER)];

/* A supervisor: it goes on when the job has been killed. */
$supervisor = ['sh', '-c', '"$@"; echo "ended with $?"; read line', 'sh'];
$job = new Job([...$container, ...$supervisor], $s, 'container_memory', 30, 'takes memory', ['memory_limit=-1']);
echo $job->said, "\n";
$job->tell('go');
$ended = $job->line();
$seconds = seconds_until_free($redis, 'container_memory');
echo $ended, "\n";
expect_between('free before its ttl', $seconds, 0, 5);
$job->end();

$job = new Job($container, $s, 'container_memory_one', 2, 'takes memory', ['memory_limit=-1']);
$job->tell('go');
echo 'PID 1: "', $job->line(), "\"\n";
expect_between('free after its ttl at the latest', seconds_until_free($redis, 'container_memory_one'), 0, 2.5);
$job->end();
--EXPECT--
holds
ended with 137
free before its ttl: ok
PID 1: ""
free after its ttl at the latest: ok
