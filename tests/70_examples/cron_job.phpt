--TEST--
examples/cron_job.php: a second run stops at once, a killed one leaves the lock free
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
putenv("REDIS_URL=unix:$server->socket");
$run = fn (string $seconds) =>
	new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/cron_job.php', true) . ';', [$seconds]);

$first = $run('60');
$first->await("process $first->pid: writing the report");
/* Who it is is asked for 50 ms. */
echo unless_stalled(function () use ($run, $first): string {
	$second = $run('60');
	$said = str_replace([$second->pid, $first->pid, gethostname()], ['SECOND', 'FIRST', 'HOST'], $second->rest());
	return $said . json_encode($second->end()) . "\n";
}, fn (string $said) => str_contains($said, 'HOST'));

$first->signal(SIGKILL);
wait_until(fn () => !$server->client()('EXISTS', 'nightly-report'));
$third = $run('0.1');
echo str_replace($third->pid, 'THIRD', $third->rest());
echo json_encode($third->end()), "\n";

$server->client()('SET', 'nightly-report', 'foreign', 'PX', 60000);
$fourth = $run('0.1');
echo str_replace($fourth->pid, 'FOURTH', $fourth->rest());
$server->client()('SET', 'nightly-report', RedisLock::newToken(), 'PX', 60000);
echo unless_stalled(fn () => preg_replace('/process \d+/', 'process PID', str_replace(gethostname(), 'HOST', $run('0.1')->rest())),
	fn (string $said) => str_contains($said, 'HOST'));
?>
--EXPECTF--
process SECOND: nothing to do, report on HOST, process FIRST, is at work
{"exit":0}
process THIRD: writing the report
process THIRD: done, %d pages
{"exit":0}
process FOURTH: nothing to do, somebody else has the lock
process PID: nothing to do, a job on HOST, process PID, is at work
