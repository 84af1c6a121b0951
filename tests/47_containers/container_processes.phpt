--TEST--
containers: where pids.max allows no renewal child, no code runs, and nothing stays locked
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container('pids');
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$group = new ControlGroup('pids');
$group->set(1);
$job = new Job($group->command(), $s, 'container_processes', 30, 'works');
echo $job->said, "\n", 'key: ', $redis('EXISTS', 'container_processes'), "\n";
$job->end();
--EXPECT--
RedisLock\RenewalException: lock "container_processes": the renewal child could not be started: clone: Resource temporarily unavailable
key: 0
