--TEST--
containers: a frozen container loses its lock after the ttl, and its code is told when it goes on
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container('freezer');
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$group = new ControlGroup('freezer');
$job = new Job([...$group->command(), ...mounts_of_its_own(...CONTAINER)], $s, 'container_frozen', 1.5, 'works');
$group->set(true);
$seconds = seconds_until_free($redis, 'container_frozen');
expect_between('free after its ttl', $seconds, 0.5, 2);
$group->set(false);
echo $job->line(), "\n";
$job->end();
--EXPECT--
free after its ttl: ok
RedisLock\LockLostException: lock "container_frozen" was lost: it could not be renewed in time
