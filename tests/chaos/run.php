<?php
/*
 * Runs the chaos, then checks the history. See scripts/long/chaos.sh.
 *
 *     run.php HISTORY MINUTES SEED WORKERS VARIANT SABOTAGE
 */
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/Stores.php';
spl_autoload_register(fn (string $class) => require __DIR__ . "/$class.php");

/* What is left at the server lives at most as long as a waiters key (61 s), and 3 s the locks of the killed. */
const LEFT = 65.0;

[, $file, $minutes, $seed, $workers, $variant, $sabotage] = $argv;
mt_srand((int) $seed);
$history = new History($file, 'nemesis');
$world = match ($variant) {
	'one', 'fibers' => new Masters(1),
	'queue' => new Queue('queue'),
	'lines' => new Queue('lines'),
	'holders' => new Holders,
	'quorum' => new Masters(5),
	'sentinel' => new SentinelFailover($history),
	'cluster' => new ClusterFailover($history),
};
$store = new Server;
/* By which what the workers start is found afterwards. */
$mark = 'REDISLOCK_CHAOS=' . getmypid();
putenv($mark);
$rooms = ['holders' => Holders::ROOMS, 'lines' => ['lines' => 1000]][$variant] ?? [];
$queue = $variant === 'queue' || $variant === 'lines';
$history->note('info', 'begin', version: History::VERSION, lively: true, ordered: $queue, rooms: (object) $rooms,
	what: "variant $variant, $workers workers, seed $seed" . ($sabotage ? ', SABOTAGED' : ''));
$asleep = History::asleep();
$end = hrtime(true) + (int) ($minutes * 60e9);
$crew = new Crew($history, ['history' => $file, 'dir' => $store->dir, 'store' => "unix://$store->socket",
	'names' => $world->names(), 'until' => $end, 'queue' => $queue, 'rooms' => $rooms,
	'fibers' => $variant === 'fibers' ? 8 : 0], $world->options(...));
$faults = new Faults($world, $crew, $history, (bool) $sabotage);
/* In a queue all wait, and none goes through a proxy. */
$kinds = $queue ? [2, 3, 10, 11] : range(0, 15);
shuffle($kinds);
if ($variant === 'holders') {
	/* Each wants one name only, so that the rooms are full. */
	$kinds = array_map(fn ($room, $i) => 16 * (1 + $room) + $kinds[$i % 16], $crowd = Holders::crowd($workers), array_keys($crowd));
}
for ($i = 0; $i < ($variant === 'holders' ? count($kinds) : $workers); $i++) {
	$crew->start($kinds[$i % count($kinds)]);
}
/* Notes what happens to the servers by itself. */
$look = $world instanceof SentinelFailover ? $world->look(...) : fn () => null;
/* From fault to fault, ms on average, with a long tail, so that there is quiet, too; before a queue, whose order is looked at, much. */
$pause = $queue ? 10_000 : ['holders' => 1500, 'fibers' => 750][$variant] ?? 250;
$next = hrtime(true) + $pause * 4_000_000;
while (hrtime(true) < $end) {
	$faults->end();
	$look();
	$crew->look();
	$faults->inside();
	if (hrtime(true) >= $next) {
		$faults->one();
		$next = hrtime(true) + (int) (-log(1 - mt_rand(0, 999) / 1000) * $pause * 1e6);
	}
	usleep(2000);
}
$faults->end(all: true);
/* Whoever is inside or waits comes to an end. */
comes_true(function () use ($crew, $faults, $look) {
	$faults->inside();
	$faults->end();
	$look();
	return $crew->look() === 0;
}, 30) || $crew->giveUp();

$left = fn () => [...$world->left(), ...children($mark)];
$clean = fn () => $left() === [] || usleep(50_000) !== null; /* asked all the time, it is what keeps others from ending */
foreach (comes_true($clean, LEFT) ? [] : $left() as $what) {
	$history->note('info', 'left', what: $what);
}
$stores = [new FileStore($store->dir), new RedisStore($store->client())];
foreach ($world->names() as $name) {
	foreach ($stores as $store) {
		$history->note('ok', 'read', name: $name, store: $store->name(), value: $store->read($name, null));
	}
}
if (abs(History::asleep() - $asleep) > 0.1) {
	$history->note('info', 'wrong', error: 'the machine was suspended meanwhile: the clock is not the one by which locks are valid');
}
$history->note('info', 'end');

echo "done:  ", implode(', ', array_map(fn ($what, $times) => "$times $what", array_keys($faults->done), $faults->done)), "\n";
exit((new Check($file))->report() ? 0 : 1);

/** Renewal children, of whichever process, that carry the mark. */
function children(string $mark): array
{
	$found = [];
	foreach (glob('/proc/[0-9]*/comm') as $comm) {
		if (@file_get_contents($comm) === "redislock:renew\n" &&
			str_contains((string) @file_get_contents(dirname($comm) . '/environ'), $mark)) {
			$found[] = 'renewal child ' . basename(dirname($comm));
		}
	}
	return $found;
}
