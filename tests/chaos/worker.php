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

$plan = json_decode($argv[1], true);
mt_srand($plan['seed']);
$history = new History($plan['history'], $plan['id']);
set_error_handler(function (int $level, string $message) use ($history) {
	/* Finished work whose release is not confirmed is the one warning that belongs to chaos. */
	$expected = preg_match('/the release of lock .* could not be confirmed/', $message);
	$history->note($expected ? 'warned' : 'wrong', $message);
	return true;
});
try {
	($plan['queue'] ? new Queuer($plan, $history) : new Worker($plan, $history))->run();
} catch (Throwable $e) {
	$history->note('wrong', get_class($e) . ": {$e->getMessage()} at line {$e->getLine()}");
}
