<?php
/*
 * One of the processes of a run: enters critical sections until its time is over, and writes each into the history.
 * In $argv: a JSON object with what the run has decided, see Crew::start().
 */
require_once __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/History.php';
require __DIR__ . '/Stores.php';
require __DIR__ . '/Worker.php';
require __DIR__ . '/Queuer.php';
require __DIR__ . '/../inc/loop.inc';

$plan = json_decode($argv[1], true);
mt_srand($plan['seed']);
$history = new History($plan['history'], $plan['id']);
set_error_handler(function (int $level, string $message) use ($history) {
	if (!(error_reporting() & $level)) {
		return true;
	}
	/* Finished work whose release is not confirmed is the one warning that belongs to chaos. */
	$expected = preg_match('/the release of lock .* could not be confirmed/', $message);
	$history->note('info', $expected ? 'warned' : 'wrong', error: $message);
	return true;
});
$whole = function (Worker|Queuer $worker) use ($history) {
	try {
		$worker->run();
	} catch (Throwable $e) {
		$history->note('info', 'wrong', error: get_class($e) . ": {$e->getMessage()} at line {$e->getLine()}");
	}
};
if ($plan['fibers'] === 0) {
	$whole($plan['queue'] ? new Queuer($plan, $history) : new Worker($plan, $history));
	exit(0);
}
/* Workers by the names of w1.1, w1.2, ..., which share their locks, each in a fiber of one loop. */
$loop = new Loop;
$loop->install();
$locks = new ArrayObject;
for ($i = 1; $i <= $plan['fibers']; $i++) {
	$loop->start(fn () => $whole(new Worker($plan, new History($plan['history'], "$plan[id].$i"), $locks, $loop)));
}
$loop->run();
