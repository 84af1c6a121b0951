--TEST--
PHP-FPM: reloaded while a lock is held
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$held = 'task("fpm_reload", function () { gate(); echo "finished"; });';
$next = 'SequenceTask::execute(redis(["name" => "fpm_reload", "wait" => 20, "retry_ms" => 1]), fn () => print("in"));';

/* With time to finish, the request keeps its lock to its end. */
$fpm = new Fpm($s, global: 'process_control_timeout = 30');
$request = $fpm->request($held)->await('in');
$child = $request->renewalChild();
$fpm->signal(SIGUSR2);
wait_until(fn () => str_contains($fpm->log(), 'Reloading in progress'));
echo 'held ', $redis('EXISTS', 'fpm_reload'), ', ', $request->go()->rest(), ', held ', $redis('EXISTS', 'fpm_reload'),
	comes_true(fn () => !is_running($child)) ? '' : ', child left', "\n";
$second = $fpm->request($next);
echo 'next: ', $second->rest(), $second->pid === $request->pid ? ', same worker' : ', another worker', "\n";

/* Without, FPM ends it by force. */
$fpm = new Fpm($s);
$request = $fpm->request($held)->await('in');
$child = $request->renewalChild();
$fpm->signal(SIGUSR2);
$request->rest();
expect_free('forced', $s, 'fpm_reload', now());
echo comes_true(fn () => !is_running($child)) ? '' : "the child stays\n";
$second = $fpm->request($next);
echo 'next: ', $second->rest(), $second->pid === $request->pid ? ', same worker' : ', another worker', "\n";
--EXPECT--
held 1, finished, held 0
next: in, another worker
forced: ok
next: in, another worker
