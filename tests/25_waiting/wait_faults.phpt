--TEST--
What a waiter makes of each fault of a server, before it stands in the queue and while it does
--EXTENSIONS--
redislock
posix
--FILE--
<?php
/* slow: a waiter meets each fault */
require __DIR__ . '/../inc/faults.inc';
/* Held by somebody who wakes nobody: it tries again each 100 ms. */
$options = ['name' => 'wait_faults', 'token' => 'mine', 'retry_ms' => 100];
$tried = "EXPECT SET wait_faults mine NX PX 60000\nSEND $-1\n";
$joined = $tried . "EXPECT EVALSHA * 6 wait_faults {wait_faults}:rlk:waiters {wait_faults}:rlk:signal {wait_faults}:rlk:turn {wait_faults}:rlk:turn:rlk:waiters {wait_faults}:rlk:turn:rlk:signal mine 2000  * *\nSEND *4\\r\\n:0\\r\\n:100\\r\\n:0\\r\\n:0\n";
$popped = $joined . "EXPECT BLPOP {wait_faults}:rlk:signal *\nSEND *-1\n";
$state = fn (RedisLock $lock) => $lock->isHeld() ? ' held' : '';
/* Error replies are all alike here. */
$alike = ['BUSY', 'MASTERDOWN', 'CLUSTERDOWN', 'TRYAGAIN', 'OOM', 'MISCONF', 'NOREPLICAS', 'NOAUTH', 'WRONGPASS', 'WRONGTYPE', 'no words'];
foreach (array_diff(array_keys(FAULTS), $alike) as $fault) {
	/* Whatever the scripts or BLPOP are refused for, a SET is tried again, after 150 ms at most; what it is told counts. */
	echo $fault;
	foreach (['joining' => [$tried, 0.15], 'blocked' => [$joined, 0.18], 'its turn' => [$popped, 0.18]] as $when => [$before, $more]) {
		echo ", $when ", fault($fault, $before, $options, null, fn ($lock) => $lock->acquire(3), $state, FAULT_LIMIT + $more);
	}
	echo "\n";
}
?>
--EXPECT--
silent, joining C+, blocked C+, its turn C+
closed, joining C+, blocked C+, its turn C+
half, then silent, joining C+, blocked C+, its turn C+
half, then closed, joining C+, blocked C+, its turn C+
one byte in a while, joining C+, blocked C+, its turn C+
garbage, joining C-, blocked C-, its turn C-
zeros, joining C-, blocked C-, its turn C-
huge string, joining C+, blocked C+, its turn C+
more than a number, joining C-, blocked C-, its turn C-
huge array, joining C+, blocked C+, its turn C+
endless line, joining C+, blocked C+, its turn C+
NOSCRIPT, joining C-, blocked C-, its turn C-
READONLY, joining C+, blocked C+, its turn C+
LOADING, joining C+, blocked C+, its turn C+
NOPERM, joining C-, blocked C-, its turn C-
too many clients, joining C+, blocked C+, its turn C+
unknown command, joining C-, blocked C-, its turn C-
