--TEST--
PHP-FPM: at rest a worker has one connection, and its renewal child none
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$ours = fn () => preg_match_all('/^id=/m', $redis('CLIENT', 'LIST')) - 1;
$run = function (string $code) use ($fpm, $ours) {
	$request = $fpm->request("task('fpm_connections', function () { $code; gate(); });")->await('in');
	$child = $request->renewalChild();
	wait_until(fn () => $ours() === 2);
	$request->go()->rest();
	return [$request->pid, $child];
};
$first = $run('');
echo 'just used: ', $ours(), ', at rest: ';
wait_until(fn () => $ours() === 1);
echo $ours(), "\n";
$second = $run('');
echo 'the next lock, the same child: ', json_encode($first === $second), ", connected beside it\n";
wait_until(fn () => $ours() === 1);
/* Killed with a lock right after rest: the child frees it. */
$request = $fpm->request("task('fpm_connections', function () { say('in'); posix_kill(getmypid(), SIGKILL); });");
expect_free('killed after a rest', $s, 'fpm_connections', now());
--EXPECT--
just used: 2, at rest: 1
the next lock, the same child: true, connected beside it
killed after a rest: ok
