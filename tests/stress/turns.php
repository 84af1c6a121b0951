<?php
/*
 * turns: many processes, one lock, and whether each gets its turn.
 *
 *     turns.php PROCESSES HOLD SECONDS [GAP]
 *
 * Each process takes the lock again and again for SECONDS (0: once) and holds it for HOLD seconds. They come GAP seconds
 * after one another (0.06). Fails when one waited for more than 1.3 of the time in which all have had their turn, or had
 * three turns fewer than another, or when somebody had the lock before another who had come 60 ms earlier. A newcomer whose
 * request the server reads in the same moment as a release costs somebody his place: that may happen once in 50 turns.
 */
require __DIR__ . '/../inc/turns.inc';

[, $processes, $hold, $seconds] = $argv;
$gap = $argv[4] ?? 0.06;
$server = new Server();
$turns = new Turns(array_map(fn ($i) => $i * $gap, range(0, $processes - 1)), $hold, $seconds,
	$server->options(['name' => 'turns', 'ttl' => 60]));
$turns->go();
$turns->end();
$waits = $turns->waits();
$moments = intdiv($turns->count(), 50);
printf("%d turns of %d processes that hold for %s s, %d of difference; longest wait %.2f of the fair share; out of order: %d\n",
	$turns->count(), $processes, $hold, $turns->spread(), $waits[0], $turns->outOfOrder());
/* The newcomer of such a moment stands out as well. */
exit($waits[$moments] <= 1.3 && $turns->spread() <= 2 && $turns->outOfOrder() <= 2 * $moments ? 0 : 1);
