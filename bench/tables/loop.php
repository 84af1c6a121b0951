<?php
/*
 * loop: many waiters in one thread, whose waits are in an event loop, beside as many processes that block; and how late that loop
 * is meanwhile.
 */
declare(strict_types=1);

namespace Bench\Tables\Loop;

use Bench\Bench;
use Bench\Crowd;
use Bench\Markdown;
use Bench\Process;
use Bench\Statistics;
use Bench\Tables\Waiting;
use Bench\Turns;

require_once __DIR__ . '/waiting/contenders.php';
require_once __DIR__ . '/waiting/hand_over.php';

const LOOP = 'fibers in a loop';
const BLOCKING = 'processes that block';

const HAND_OVER = 1.3;
const COMMANDS = 1.1;
const DELAY_MS = 1;
const FROZEN_DELAY_MS = 5;
const MEMORY_KB = 48;
const PROVISIONAL_MS = 2000;

/** Of fibers: no other mapping of a PHP process has this size. */
const STACK_KB = 768;

function verdict(bool $met): string
{
	return $met ? 'PASS' : 'FAIL';
}

function waiters(Bench $bench): int
{
	return $bench->quick() ? 50 : 1000;
}

/** Starts workers/loop.php. */
function loop(Bench $bench, string $kind, int $count, int $holdUs = Waiting\HOLD_US): Process
{
	$module = $bench->module() ?? throw new \RuntimeException('the extension is not built: scripts/build.sh');

	return $bench->phpWorker('loop', [$kind, (string) $count, (string) $holdUs, "bench:loop:$kind", 'tcp', '127.0.0.1',
		(string) $bench->server()->port], [$module, $bench->loopPoll()], $bench->otherCpus(),
		['fiber.stack_size=' . STACK_KB * 1024, 'opcache.enable_cli=0', 'memory_limit=-1']);
}

/** @return list<array{int, int}>  ns, and ns without the waits for a CPU */
function delays(Process $loop): array
{
	$delays = json_decode($loop->ask('delays'), true, 3, JSON_THROW_ON_ERROR);

	return $delays !== [] ? $delays : throw new \RuntimeException('the loop stood still');
}

/** @param list<array{int, int}> $delays @return list<string>  of a row; the verdict is of those without the machine's own waits */
function delayed(string $when, array $delays, float $quantile, int $limitMs): array
{
	$ms = static fn (float $ns) => sprintf('%.2f', $ns / 1e6);
	[$whole, $own] = [array_column($delays, 0), array_column($delays, 1)];

	return [$when, (string) count($delays), $ms(Statistics::median($whole)), $ms(Statistics::quantile($whole, 0.99)), $ms(max($whole)),
		$ms(Statistics::quantile($own, 0.99)), $ms(max($own)), verdict(Statistics::quantile($own, $quantile) <= $limitMs * 1e6)];
}

/** @return list<array{string, list<array{int, int}>}>  how late the loop was, and when */
function handOver(Bench $bench): array
{
	$count = waiters($bench);
	$rounds = $bench->number('rounds', 5, 2);
	$rows = $delays = [];
	foreach (['lease' => Waiting\LEASE, 'bound' => Waiting\BOUND] as $kind => $contender) {
		$loop = loop($bench, $kind, $count);
		$crowds = [BLOCKING => Waiting\crowd($bench, $contender, $count), LOOP => new Crowd($loop, $bench->server(), $count)];
		Waiting\drains([LOOP => $crowds[LOOP]], 1);
		$loop->ask('watch');
		$delays[] = ["$kind, hand-overs"];
		/** @var array<string, list<Turns>> $drains */
		$drains = Waiting\drains($crowds, $rounds);
		$delays[array_key_last($delays)][] = delays($loop);
		$crowds[LOOP]->gather('wait', '', false);
		$loop->ask('watch');
		usleep($bench->quick() ? 500_000 : 20_000_000);
		$delays[] = ["$kind, all wait", delays($loop)];
		$summaries = array_map(static fn ($own) => Waiting\summary($own, $drains[BLOCKING]), $drains);
		foreach ($summaries as $name => $s) {
			$commands = $s['commands'] / $summaries[BLOCKING]['commands'];
			$rows[] = ["$name, $kind", Waiting\microseconds($s['median']), Waiting\microseconds($s['p99']), sprintf('%.2f', $s['ratio']),
				sprintf('%.2f %%', $s['inversions'] * 100), sprintf('%.2f', $s['requests']), sprintf('%.2f', $s['commands']),
				sprintf('%.2f', $commands), $name === BLOCKING ? '' :
					verdict($s['ratio'] <= HAND_OVER && $commands <= COMMANDS && $s['inversions'] == 0)];
		}
		unset($crowds, $loop);
		$bench->stopServer();
	}
	Markdown::heading("From release to the next owner, µs, $count waiters");
	Markdown::note("As in \"waiting\", $rounds rounds. Commands include what scripts call. Wanted of the loop: at most " . HAND_OVER
		. ' times the median of the processes, and ' . COMMANDS . ' times their commands; none out of order.');
	Markdown::table(['', 'median', 'p99', 'ratio', 'out of order', 'requests', 'commands', 'ratio', 'verdict'], $rows);

	return $delays;
}

/** The server stands still while a queue drains. @return list<array{int, int}> */
function frozen(Bench $bench): array
{
	$count = waiters($bench);
	$loop = loop($bench, 'lease', $count);
	$crowd = new Crowd($loop, $bench->server(), $count);
	$crowd->gather('wait', '', false);
	$loop->ask('watch');
	$loop->write('go');
	usleep(50_000);
	$bench->server()->signal(SIGSTOP);
	usleep(2_000_000);
	$bench->server()->signal(SIGCONT);
	for ($reports = 0; $reports < $count + 1;) {
		$crowd->report();
		$reports++;
	}

	return delays($loop);
}

/** @param list<array{string, list<array{int, int}>}> $wells @param list<array{int, int}> $frozen */
function printDelays(array $wells, array $frozen): void
{
	$rows = array_map(static fn ($well) => delayed(...$well, quantile: 0.99, limitMs: DELAY_MS), $wells);
	$rows[] = delayed('lease, hand-overs, the server frozen for 2 s', $frozen, 1.0, FROZEN_DELAY_MS);
	Markdown::heading('How late the loop is, ms');
	Markdown::note('A timer of 1 ms. "Own" is without the time in which the process had no CPU. Wanted: p99 at most ' . DELAY_MS
		. ', and with a frozen server never more than ' . FROZEN_DELAY_MS . '.');
	Markdown::table(['', 'timers', 'median', 'p99', 'max', 'own, p99', 'own, max', 'verdict'], $rows);
}

function memory(Bench $bench): void
{
	$count = waiters($bench);
	$rows = [];
	foreach (['lease', 'bound'] as $kind) {
		$sizes = [];
		foreach (['sleep', 'wait'] as $what) {
			$loop = loop($bench, $kind, $count);
			$crowd = new Crowd($loop, $bench->server(), $count);
			$loop->ask('hold');
			$before = (int) $loop->ask('memory');
			if ($what === 'sleep') {
				$loop->ask("sleep $count");
			} else {
				$loop->write("wait 0 $count");
				$crowd->awaitBlocked($count);
				usleep($bench->quick() ? 100_000 : 5_000_000); // until most have looked
			}
			$sizes[$what] = ((int) $loop->ask('memory') - $before) / $count;
			unset($loop, $crowd);
			$bench->stopServer();
		}
		$own = $sizes['wait'] - $sizes['sleep'];
		$rows[] = [$kind, sprintf('%.1f', $sizes['sleep']), sprintf('%.1f', $sizes['wait']), sprintf('%.1f', $own), verdict($own <= MEMORY_KB)];
	}
	Markdown::heading("Memory of a wait, kB, $count waiters");
	Markdown::note('Resident memory without the C stacks of fibers, of a fiber that sleeps in the loop, and of one that waits for the lock. '
		. 'The object of the lock was there before. Wanted: a difference of at most ' . MEMORY_KB . '.');
	Markdown::table(['', 'asleep', 'waits', 'difference', 'verdict'], $rows);
}

function cancel(Bench $bench): void
{
	$count = $bench->quick() ? 50 : 1000;
	$rows = [];
	foreach (['lease', 'bound'] as $kind) {
		$server = $bench->server();
		$loop = loop($bench, $kind, 0);
		$ends = json_decode($loop->ask("cancel $count"), true, 2, JSON_THROW_ON_ERROR);
		$late = (int) ($server->command('PTTL', "bench:loop:$kind") > PROVISIONAL_MS);
		// The server finds out that a connection is closed when it reads from it.
		for ($until = hrtime(true) + 3_000_000_000; $server->blocked() > 0 && hrtime(true) < $until;) {
			usleep(1000);
		}
		$places = $server->blocked();
		$keys = $server->command('EXISTS', "bench:loop:$kind");
		$rows[] = [$kind, ...array_map(strval(...), array_values($ends)), (string) ($late + $keys), (string) $places,
			verdict($late + $keys + $places === 0)];
		unset($loop);
		$bench->stopServer();
	}
	Markdown::heading('Waits that are cancelled at random points');
	Markdown::note("32 fibers at a time want one lock with a ttl of 30 s, for up to 0.3 ms each, until $count were cancelled. "
		. 'Wanted: no key that lasts longer than the provisional ttl of 2 s, and no place in the queue.');
	Markdown::table(['', 'acquired', 'out of time', 'destroyed', 'keys left', 'places left', 'verdict'], $rows);
}

return static function (Bench $bench): void {
	$wells = handOver($bench);
	printDelays($wells, frozen($bench));
	foreach (['memory', 'cancel'] as $part) {
		$bench->stopServer();
		(__NAMESPACE__ . '\\' . $part)($bench);
		Bench::progress('');
	}
};
