--TEST--
examples/failover.php: the job goes on through a failover
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
$all = new Sentinels(1, 1);
putenv("SENTINELS=127.0.0.1:{$all->sentinels[0]->port}");
$run = fn (string $seconds) => new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/failover.php', true) . ';', [$seconds]);
$job = $run('4');
wait_until(fn () => $all->client($all->servers[0])('EXISTS', 'failover-example') === 1);
$all->awaitCopies('failover-example');
$all->kill();
echo $job->rest(), json_encode($job->end()), "\n";
putenv('SERVICE=nobody');
$job = $run('0');
echo $job->rest(), json_encode($job->end()), "\n";
?>
--EXPECTF--
held for 4.0 s, valid for another 2%d.%d s
{"exit":0}
lock "failover-example": the sentinel watches no master named "nobody" (tcp://127.0.0.1:%d)
{"exit":75}
