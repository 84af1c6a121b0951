<?php
/*
 * The four scenes of scripts/demo.sh. Each checks what it shows; the exit status is 1 when a check failed.
 *
 *     php -n -d extension=MODULE scripts/demo/run.php MODULE SOCKET
 */

[, $module, $socket] = $argv;
require __DIR__ . '/stage.php';
$stage = new Stage($module, $socket);
$examples = dirname(__DIR__, 2) . '/examples';

$stage->title('redislock %s, PHP %s, Redis %s', phpversion('redislock'), PHP_VERSION,
	preg_match('/redis_version:(\S+)/', $stage->redis('info', 'server'), $m) ? $m[1] : '?');

$stage->scene('1. Cron starts one job twice: the second run says who has the lock, and stops');
$first = $stage->start('first run', "$examples/cron_job.php", '2.5');
$first->await('/writing the report/');
$stage->pause(1);
$second = $stage->start('second run', "$examples/cron_job.php", '2.5');
$answer = $second->await('/nothing to do|writing/');
$stage->check($second->end() === 0 && str_contains($answer, "nothing to do, report on") &&
	str_contains($answer, "process $first->pid,"), 'the second run did not work, and named the first');
$first->await('/done/');
$stage->check($first->end() === 0 && $stage->redis('exists', 'nightly-report') === '0',
	'the first run finished, and its lock is gone');

$stage->scene('2. A job three times as long as its ttl keeps its lock');
$job = $stage->start('job', __DIR__ . '/job.php', 'long', '6');
$job->await('/a job of/');
$token = $stage->redis('get', 'demo:long');
$least = 2000;
/* Not at the end of the job: on a busy machine a second here is a longer one. */
for ($began = microtime(true); microtime(true) - $began < 4.2;) {
	$stage->pause(1);
	$left = (int) $stage->redis('pttl', 'demo:long');
	$least = min($least, $stage->redis('get', 'demo:long') === $token ? $left : 0);
	$stage->say('redis-cli', 'PTTL demo:long  %5d ms  %s', $left, str_repeat('#', max(0, intdiv($left, 50))));
}
$job->await('/done/');
$stage->check($least > 0, 'the key was there each time, with the same holder');
$stage->check($job->end() === 0 && $stage->redis('exists', 'demo:long') === '0', 'and is gone with the end of the job');

$stage->scene('3. kill -9 of the holder: the lock is free long before its ttl');
$holder = $stage->start('holder', __DIR__ . '/job.php', 'hold');
$holder->await('/holds the lock/');
$next = $stage->start('next', __DIR__ . '/job.php', 'next');
$next->await("/waits for process $holder->pid$/");
$stage->pause(1);
$stage->say('redis-cli', 'PTTL demo:kill  %5d ms', $stage->redis('pttl', 'demo:kill'));
$killed = microtime(true);
$holder->kill();
$stage->say('demo', 'kill -9 %d', $holder->pid);
$in = preg_match('/^in at (\S+)/', $next->await('/^in at/', false), $m) ? (float) $m[1] : INF;
$waited = $in - $killed;
$stage->say('next', 'has the lock %.1f ms after the kill', $waited * 1e3);
$stage->check($waited > 0 && $waited < 1, 'within milliseconds, not 30 s (it checks the lock every 5 ms)');
$stage->check($next->end() === 0, 'and the next one ended well');

$stage->scene('4. The lock is deleted by hand: the exception arrives inside the running job');
$job = $stage->start('job', __DIR__ . '/job.php', 'loop');
$job->await('/computes in a loop/');
$stage->pause(1.2);
$deleted = microtime(true);
$stage->say('redis-cli', 'DEL demo:lost  %s', $stage->redis('del', 'demo:lost'));
preg_match('/^told at (\S+) in round (\d+)/', $job->await('/^told at/', false), $m);
[, $told, $round] = $m ?: ['', INF, 0];
$stage->say('job', 'got the exception in round %d of its loop, %.1f ms after the DEL', $round, ($told - $deleted) * 1e3);
$stage->check($told - $deleted < 5, 'long before the next renewal: the server told of it');
$stage->check(str_starts_with($job->await('/./'), 'RedisLock\LockLostException'), 'as RedisLock\LockLostException');
$stage->check($job->end() === 0, 'and could end in good order');

exit($stage->finish());
