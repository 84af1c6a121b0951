--TEST--
PHP-FPM: stopped while a lock is held, it can start again at the same address at once
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
foreach (['port' => '127.0.0.1:' . Server::freePort(), 'socket' => "$s->dir/fpm"] as $name => $address) {
	stop_and_start($name, $s, 'fpm_stop', SIGTERM, fn () => new Fpm($s, listen: $address));
}

/* SIGQUIT lets requests finish. */
$fpm = new Fpm($s, global: 'process_control_timeout = 30');
$request = $fpm->request('task("fpm_stop", function () { gate(); echo "finished"; });')->await('in');
$child = $request->renewalChild();
$fpm->signal(SIGQUIT);
echo 'SIGQUIT: held ', $redis('EXISTS', 'fpm_stop'), ', ', $request->go()->rest(), ', held ', $redis('EXISTS', 'fpm_stop'),
	', stopped: ', var_export($fpm->awaitEnd(), true), is_running($child) ? ', child left' : '', "\n";
--EXPECT--
port: stopped, the child lives, next: refused, then: in
socket: stopped, the child lives, next: refused, then: in
SIGQUIT: held 1, finished, held 0, stopped: true
