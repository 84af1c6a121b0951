<?php
/*
 * waiting: one lock and many who want it.
 *
 * The parts are in waiting/. Each starts crowds of waiters (lib/Crowd.php) that take turns on one server, which has
 * a CPU to itself where there are two. A waiter holds the lock for 1 ms, asleep, as if it waited for a database.
 */
declare(strict_types=1);

namespace Bench\Tables\Waiting;

use Bench\Bench;

foreach (['contenders', 'hand_over', 'churn', 'faults', 'server_time', 'ten_thousand'] as $part) {
	require_once __DIR__ . "/waiting/$part.php";
}

return static function (Bench $bench): void {
	foreach (['handOver', 'churn', 'killedWaiter', 'expiry', 'serverTime', 'tenThousand'] as $part) {
		(__NAMESPACE__ . '\\' . $part)($bench);
		Bench::progress('');
		// Connections of one part must not cost the next.
		$bench->stopServer();
	}
};
