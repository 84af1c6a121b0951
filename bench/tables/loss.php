<?php
/*
 * loss: how soon running code is told that its process-bound lock was deleted. Servers differ in this, so the table is for
 * one that --server names. Job and child are kept off the server's CPU, as where that is another machine.
 */
declare(strict_types=1);

namespace Bench\Tables\Loss;

use Bench\Bench;
use Bench\Machine;
use Bench\Markdown;
use Bench\Statistics;

const KEY = 'bench:loss';

return static function (Bench $bench): void {
	$runs = $bench->number('rounds', 100, 5);
	$server = $bench->server();
	$lock = ['unix_socket' => $server->socket, 'name' => KEY, 'ttl' => 30];
	$job = $bench->phpWorker('bound', ['loss', json_encode(['lock' => $lock])],
		[$bench->module() ?? throw new \RuntimeException('nothing to measure')], $bench->otherCpus());
	$times = [];
	for ($run = 1; $run <= $runs; $run++) {
		Bench::progress("loss, run $run of $runs");
		if ($job->ask('go') !== 'in') {
			throw new \RuntimeException('the job did not get its lock');
		}
		// The server tells of it from 0.1 s on.
		usleep(random_int(150_000, 300_000));
		$deleted = hrtime(true);
		$server->command('DEL', KEY);
		$noticed = $job->read();
		$times[] = $noticed === 'never' ? 10_000_000_000 : (int) $noticed - $deleted;
	}
	Bench::progress('');
	$ms = static fn (float $ns) => number_format($ns / 1e6, 2);
	Markdown::heading('From the loss of the lock until it is thrown into a hot loop, ms');
	Markdown::note("$runs keys deleted by hand at random moments, with the default interval of 10 s: the server tells. Wanted: at most 5.");
	Markdown::table(['server', 'median', 'p99', 'max', 'verdict'], [[Machine::serverVersion($server),
		$ms(Statistics::median($times)), $ms(Statistics::quantile($times, 0.99)), $ms(max($times)), Statistics::verdict($times, 5e6)]]);
};
