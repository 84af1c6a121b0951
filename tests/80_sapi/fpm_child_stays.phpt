--TEST--
PHP-FPM: a renewal child serves one request after the other, and ends when it is idle for long or its worker ends
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
/* A request with a lock of its own: its process, and the renewal child that this has afterwards. */
$run = function (WebServer $server, string $first = '') {
	$request = $server->request("$first task('fpm_child_stays', function () { gate(); });")->await('in');
	$child = $request->renewalChild();
	$request->go()->rest();
	return [$request->pid, $child];
};
/* Seconds from the end of a process to that of its child, which must be quick. */
$dies_within = function (string $name, callable $end) use ($run) {
	expect_within($name, 0.05, function () use ($end) {
		[$pid, $child] = $end();
		wait_until(fn () => !is_running($pid));
		$ended = now();
		wait_until(fn () => !is_running($child));
		return taken($ended);
	}, 10);
};

$fpm = new Fpm($s, Fpm::ONE_WORKER . 'php_admin_value[memory_limit] = 300M');
[$pid, $child] = $run($fpm, 'for ($live = []; count($live) < 2000;) $live[] = str_repeat("x", 65000);');
expect_between('private kB of a child of 128 MB', private_kb($child), 1, 1000);
echo 'the same: ', json_encode([$run($fpm), $run($fpm, 'ini_set("redislock.renewal_idle", 1000);')] === [[$pid, $child], [$pid, $child]]),
	', descriptors but for the connection, which it gives up after a while: ', implode(' ', array_map(fn ($fd) => preg_replace('/\d+/', 'N', readlink($fd)),
		array_slice(array_filter(glob("/proc/$child/fd/*"), fn ($fd) => basename($fd) > 2), 0, 3))), "\n";
/* Without a lock nothing is asked of it. One that was killed is missed by nobody, nor does it stay as a zombie. */
posix_kill($child, SIGKILL);
echo 'killed, reaped: ', json_encode(comes_true(fn () => !is_running($child, true)));
[$samePid, $other] = $run($fpm);
echo ', then: ', $samePid === $pid && $other !== $child ? 'another one' : 'not another one', "\n";
/* 0: it ends with the request. */
[, $child] = $run($fpm, 'ini_set("redislock.renewal_idle", 0);');
echo 'idle 0: ', $child === $other ? 'served, ' : '', is_running($child, true) ? 'stays' : 'gone', "\n";

$fpm = new Fpm($s);
$dies_within('with its worker, SIGKILL', function () use ($run, $fpm) {
	[$pid] = $both = $run($fpm);
	posix_kill($pid, SIGKILL);
	return $both;
});
$dies_within('reload', function () use ($run, $fpm) {
	$both = $run($fpm);
	$fpm->signal(SIGUSR2);
	return $both;
});
$fpm = new Fpm($s, Fpm::ONE_WORKER . 'pm.max_requests = 1');
$dies_within('max_requests', fn () => $run($fpm));

/* Another user of the server: a new child, and the old one's connection goes with it. */
$fpm = new Fpm($s);
$redis('ACL', 'SETUSER', 'one', 'on', '>1', '~*', '+@all', ...all_channels());
$redis('ACL', 'SETUSER', 'two', 'on', '>2', '~*', '+@all', ...all_channels());
$connections = fn (string $user) => preg_match_all("/ user=$user\b/", $redis('CLIENT', 'LIST'));
$as = function (string $user, string $password) use ($fpm, $connections) {
	$request = $fpm->request("SequenceTask::execute(redis(['name' => 'fpm_child_stays', 'username' => '$user', 'password' => '$password']),
		function () { gate(); });")->await('in');
	$child = $request->renewalChild();
	wait_until(fn () => $connections($user) === 2);
	$request->go()->rest();
	return $child;
};
$one = $as('one', '1');
$two = $as('two', '2');
echo 'other credentials, another child: ', json_encode($one !== $two && !is_running($one, true)),
	', of the first is left: ', json_encode(comes_true(fn () => $connections('one') === 1)), "\n";
echo 'both known, the same child: ', json_encode([$as('one', '1'), $as('two', '2')] === [$two, $two]), "\n";
echo 'keys: ', $redis('DBSIZE'), "\n";
--EXPECT--
private kB of a child of 128 MB: ok
the same: true, descriptors but for the connection, which it gives up after a while: socket:[N] anon_inode:[pidfd] anon_inode:[timerfd]
killed, reaped: true, then: another one
idle 0: served, gone
with its worker, SIGKILL: ok
reload: ok
max_requests: ok
other credentials, another child: true, of the first is left: true
both known, the same child: true
keys: 0
