--TEST--
tests/inc/timing.inc: counts what is late, and takes off what the machine took
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$bounds = tempnam(sys_get_temp_dir(), 'rlk');
putenv("REDISLOCK_TEST_BOUNDS=$bounds");
$sleeper = (int) file_get_contents('/proc/self/task/' . getmypid() . '/children');
$parent = getmypid();
$calls = 0;
$late = fn (int ...$which) => function () use (&$calls, $which): float {
	$start = now();
	usleep(in_array(++$calls, $which, true) ? 1_000_000 /* far more than the machine stalls */ : 100);
	return taken($start);
};
$verdict = function (string $name, callable $once, int $times = 50, float $least = 0) use (&$calls): void {
	$calls = 0;
	ob_start();
	expect_within($name, 0.02, $once, $times, $least);
	echo preg_replace('/: \d.*/', ': late', ob_get_clean());
};
$verdict('none of 50', $late());
$verdict('one of 50', $late(7));
$verdict('four of 50', $late(7, 8, 20, 50));
$verdict('one of 5', $late(5), 5);
$verdict('too early', $late(), 5, 0.01);
/* Nobody ran meanwhile, as far as the sleeper knows. */
$stall = function () use ($sleeper): float {
	$start = now();
	posix_kill($sleeper, SIGSTOP);
	pause(0.1, 'the machine stands still');
	posix_kill($sleeper, SIGCONT);
	return taken($start, null, 0.01);
};
$verdict('all stalled', $stall, 5, 0.01);
echo "which were judged:\n", preg_replace('~\S+/timing\.php: ~', '', implode(preg_grep('/: (?:four of 50|one of 5|all stalled)$/', file($bounds))));
unlink($bounds);
putenv('REDISLOCK_TEST_BOUNDS');
/* Whatever the sleeper was at when it was stopped. */
for ($unseen = 0, $times = 100; $times-- > 0;) {
	usleep(mt_rand(0, 20_000));
	$start = now();
	posix_kill($sleeper, SIGSTOP);
	pause(0.005, 'the machine stands still');
	posix_kill($sleeper, SIGCONT);
	$unseen += stalled($start, now()) < 0.002 ? 1 : 0;
}
echo 'stalled, and not seen: ', $unseen, "\n";
/* More processes than processors: some of them wait all the time. */
$start = now();
for ($children = [], $count = 2 + substr_count(file_get_contents('/proc/cpuinfo'), "processor\t"); count($children) < $count;) {
	if (($children[] = pcntl_fork()) === 0) {
		while (posix_getppid() === $parent);
		posix_kill(getmypid(), SIGKILL);
	}
}
pause(0.3, 'they have the processors');
$taken = taken($start);
array_map(fn (int $pid) => posix_kill($pid, SIGKILL) && pcntl_waitpid($pid, $status), $children);
echo 'too few processors: ', $taken < 0.02 ? 'ok' : $taken, "\n";
$calls = 0;
echo 'tried until it is fine: ', unless_stalled(function () use ($stall, &$calls) {
	$stall();
	return ++$calls;
}, fn (int $calls) => $calls === 3), "\n";
$calls = 0;
unless_stalled(function () use (&$calls) {
	$calls++;
}, fn () => false);
echo 'not where nothing stalled: ', $calls < 10 ? 'ok' : $calls, "\n";
try {
	wait_until(fn () => false, 0.01);
} catch (AssertionError $e) {
	echo preg_replace('/\d+\)$/', 'N)', $e->getMessage()), "\n";
}
?>
--EXPECT--
none of 50: ok
one of 50: ok
four of 50: late
one of 5: late
too early: late
all stalled: ok
which were judged:
judged	four of 50
judged	one of 5
not	all stalled
stalled, and not seen: 0
too few processors: ok
tried until it is fine: 3
not where nothing stalled: ok
not within 0.01 s: wait_until(fn () => false, 0.01); (timing.php:N)
