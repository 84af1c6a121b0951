<?php
/*
 * handovers: many hand-overs of one lock while holders and waiters are killed at random.
 *
 *     handovers.php PROCESSES HANDOVERS [SEED]
 *
 * Each process takes a process-bound lock again and again, waiting for it without limit. Inside, it takes a flock()
 * that must be free: the kernel frees that one with its process, so it knows who is inside. A killed process runs no
 * more code once it exits (PF_EXITING), but the kernel closes its files one by one: its lock may be free before its
 * flock() is, so such a process is not inside any more. The driver kills one of the processes every now and then and
 * starts another. Ends when the lock was handed over HANDOVERS times per process; fails when two were inside at once,
 * or when the lock stood still. Prints what it did as one line.
 */
require __DIR__ . '/../inc/redislock.inc';

/* A killed process costs a moment, one that is killed with a provisional ttl on its way at most 2 s, a lost wake-up 5 s. */
const STALL = 3.0;

[, $processes, $wanted] = array_map(intval(...), $argv);
$seed = (int) ($argv[3] ?? random_int(1, PHP_INT_MAX));
mt_srand($seed);
$server = new Server();
$count = "$server->dir/count";
touch($count);
$letter = 0;
$start = function () use ($server, $count, &$letter) {
	return Php::program(__DIR__ . '/handovers.inc', [$server->socket, "$server->dir/inside", $count, chr(ord('a') + $letter++ % 26)]);
};
$done = function () use ($count) {
	clearstatcache();
	return filesize($count);
};
$workers = array_map($start, range(1, $processes));
foreach ($workers as $worker) {
	$worker->await('ready');
}
foreach ($workers as $worker) {
	$worker->tell('go');
}
$spare = $start();
$kills = 0;
$gap = 0.0;
$begin = $moved = now();
$last = 0;
$next_kill = $begin + 0.2;
while (($now = $done()) < $processes * $wanted && now() - $moved < STALL) {
	if ($now !== $last) {
		$gap = max($gap, now() - $moved);
		$moved = now();
		$last = $now;
	}
	/* Whatever booting takes: the killed are replaced at once, so that there are always as many. */
	if (now() > $next_kill && $spare->hasPrinted()) {
		$i = mt_rand(0, $processes - 1);
		$workers[$i]->signal(SIGKILL);
		$workers[$i]->end();
		$workers[$i] = $spare;
		$spare->tell('go');
		$spare = $start();
		$kills++;
		$next_kill = now() + mt_rand(1, 100) / 1000;
	}
	usleep(mt_rand(100, 2000));
}
$took = now() - $begin;
foreach ($workers as $worker) {
	$worker->signal(SIGKILL);
	$worker->end();
}
$log = file_get_contents($count);
$inside = substr_count($log, '!');
$taken = strlen($log) - $inside;
$changes = preg_match_all('/(.)(?!\1)(?=.)/', $log);
$stalled = $last < $processes * $wanted && $done() < $processes * $wanted;
printf("taken %d times by %d processes in %.1f s, %d %% from another one, %d killed, longest pause %.2f s, "
	. "two inside %d times%s (seed %d)\n", $taken, $processes, $took, 100 * $changes / max($taken, 1), $kills, $gap, $inside, $stalled ? ', STALLED' : '', $seed);
$free = comes_true(fn () => $server->client()('EXISTS', 'handovers') === 0);
if (!$free) {
	echo "a lock was left behind\n";
}
$starved = $changes < $taken / 4;
if ($starved) {
	echo "the others starve\n";
}
exit($stalled || $starved || $inside > 0 || !$free ? 1 : 0);
