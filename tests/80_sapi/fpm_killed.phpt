--TEST--
PHP-FPM: the lock of a killed worker is free at once
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
each_kill(new Fpm($s), $s, 'fpm_killed', [
	/* A crash from inside: of PHP itself by a stack overflow, which 8.3 has learnt to turn into an exception. */
	'crash' => [PHP_VERSION_ID < 80300
		? "gate(); ini_set('memory_limit', -1); function deeper() { array_map('deeper', [1]); } deeper();"
		: 'gate(); array_map(fn ($pid) => exec("kill -SEGV $pid"), [getmypid()]); sleep(60);', 0],
	'SIGKILL, asleep' => ['sleep(60);', SIGKILL],
	'SIGKILL, busy' => ['for (;;);', SIGKILL],
	'SIGKILL, reading' => ['$pair = stream_socket_pair(1, 1, 0); fread($pair[0], 1);', SIGKILL],
	'SIGTERM, asleep' => ['sleep(60);', SIGTERM],
	'SIGTERM, busy' => ['for (;;);', SIGTERM],
	'SIGSEGV, asleep' => ['sleep(60);', SIGSEGV],
	'SIGSEGV, busy' => ['for (;;);', SIGSEGV],
]);

/* FPM kills a worker whose request takes too long; the end of the connection is the first we see of that. On a machine that stands
 * still the time may be over before we have seen the renewal child. */
$fpm = new Fpm($s, Fpm::ONE_WORKER . 'request_terminate_timeout = 2');
foreach (['asleep' => 'sleep(60);', 'busy' => 'for (;;);'] as $name => $code) {
	[$request, $child] = unless_stalled(function () use ($fpm, $code) {
		$request = $fpm->request("task('fpm_killed', function () { say('in'); $code });")->await('in');
		return [$request, $request->renewalChild()];
	}, fn () => true);
	$request->rest();
	expect_free("request_terminate_timeout, $name", $s, 'fpm_killed', now());
	echo comes_true(fn () => !is_running($child)) ? '' : "the renewal child stays\n";
}
--EXPECT--
crash: ok
SIGKILL, asleep: ok
SIGKILL, busy: ok
SIGKILL, reading: ok
SIGTERM, asleep: ok
SIGTERM, busy: ok
SIGSEGV, asleep: ok
SIGSEGV, busy: ok
another process is next
request_terminate_timeout, asleep: ok
request_terminate_timeout, busy: ok
