--TEST--
PHP-FPM: a lock ends when the client goes away, unless that is ignored
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$free = fn () => comes_true(fn () => !$redis('EXISTS', 'fpm_client_abort'));

/* The request notices when it writes, and is ended there. */
$request = $fpm->request('task("fpm_client_abort", function () { gate(); for (;;) { say("more"); } });')->await('in');
echo 'held: ', $redis('EXISTS', 'fpm_client_abort'), "\n";
$request->abort();
$request->go();
echo 'free: ', var_export($free(), true), "\n";

/* Its further ttl tells that this one was not ended. */
$next = $fpm->request('ignore_user_abort(true); task("fpm_client_abort", function ($lock) { gate();
	while (!connection_aborted()) { say("more"); } $_ = $lock->keepAlive(90);
	while (!file_exists(__FILE__ . ".end")) usleep(500); });');
$next->await('in');
echo $next->pid === $request->pid ? 'same' : 'another', " worker\n";
$next->abort();
$next->go();
echo 'kept: ', var_export(comes_true(fn () => $redis('PTTL', 'fpm_client_abort') > 60000), true), "\n";
touch("$next->file.end");
echo 'free: ', var_export($free(), true), "\n";
--EXPECT--
held: 1
free: true
same worker
kept: true
free: true
