#!/usr/bin/env php
<?php
/*
 * faults.php: writes docs/internals/record.md: what was found before the first release, by which means, and when it was mended.
 *
 *     scripts/dev/faults.php
 *
 * It reads tests/simulate/seeds.txt, tests/faults.txt and the history in git, which has to be whole.
 */

declare(strict_types=1);

chdir(dirname(__DIR__, 2));

function lines(string $file): array
{
	return array_filter(file($file, FILE_IGNORE_NEW_LINES), fn (string $line) => $line !== '' && $line[0] !== '#');
}

/** The commit and its day, of the first that such arguments of git log find. */
function commit(string ...$how): string
{
	$found = shell_exec('git log --reverse --format="%h, %as" ' . implode(' ', array_map(escapeshellarg(...), $how)) . ' | head -n 1');
	return trim((string) $found) ?: throw new RuntimeException('no commit: ' . implode(' ', $how));
}

/** As the beginning of a sentence, unless that is the name of a method. */
function begin(string $text): string
{
	return preg_match('/^\w+\(/', $text) === 1 ? "`" . preg_replace('/\(\)/', '()`', $text, 1) : ucfirst($text);
}

function row(string ...$cells): string
{
	return '| ' . implode(' | ', $cells) . " |\n";
}

/* --- seeds ----------------------------------------------------------------------------------------- */

$faults = $of_checks = [];
foreach (lines('tests/simulate/seeds.txt') as $line) {
	[$seed, $what] = array_map(trim(...), explode('#', $line, 2));
	if ($what === 'likewise') {
		$list[array_key_last($list)]['seeds'] .= ", $seed";
		continue;
	}
	if (preg_match('/^(of a check|of the simulator|a check that)/', $what) === 1) {
		$list = &$of_checks;
	} elseif (!str_starts_with($what, 'likewise')) {
		$list = &$faults;
	}
	$list[] = ['what' => $what, 'seeds' => $seed, 'commit' => commit('-G', "^$seed ", '--', 'tests/simulate/seeds.txt')];
}
$seeds = '';
foreach ($faults as ['what' => $what, 'seeds' => $numbers, 'commit' => $commit]) {
	$seeds .= row(begin($what), $numbers, $commit);
}

/* --- the rest, and the last full run ----------------------------------------------------------------- */

$others = $runs = '';
foreach (lines('tests/faults.txt') as $line) {
	$cells = array_map(trim(...), explode('|', $line));
	if ($cells[0] === 'run') {
		$runs .= row("`$cells[1]`", ...array_slice($cells, 2));
		continue;
	}
	[$means, $what, $kept, $subject] = $cells;
	foreach (preg_grep('~^(scripts|tests)/~', explode(' ', $kept)) as $path) {
		file_exists($path) || throw new RuntimeException("$path is not there: $line");
	}
	$others .= row(begin($means), begin($what), "`$kept`", commit('-F', '--grep', $subject));
}

if ($runs !== '') {
	$runs = "## The last full run\n\n| Command | What came of it | Commit, day |\n|---|---|---|\n$runs";
}
$count = count($faults);
$checks = count($of_checks);
$mutants = preg_match_all('/^== /m', file_get_contents('tests/simulate/mutants.txt'));
file_put_contents('docs/internals/record.md', <<<MARKDOWN
	# The record

	Faults that our own means found before the first release, each with what shows it, and the commit that mended it. A fault counts
	from the day on which it was in the repository, however short. Written by `scripts/dev/faults.php`; do not edit.

	## By the simulator

	Each line is a seed, and so a history. `scripts/ci/simulate.sh --show SEED` plays it and prints all that happens;
	`scripts/ci/simulate.sh` plays all of them each time. It showed the fault until the commit that is named, with the simulator of that
	day. Today it goes well, and is another history where what is sent has changed since. So what keeps faults from coming back are
	$mutants rules, each of which is broken on purpose, and has to be found out: `scripts/ci/simulate.sh --mutants`.

	Of the $count faults below some were seen by more seeds than one. $checks more seeds in `tests/simulate/seeds.txt` are of checks that were
	not exact, or of the simulator itself.

	| Fault | Seeds | Mended |
	|---|---|---|
	$seeds
	## By other means

	| Means | Fault | What shows that it is mended | Mended |
	|---|---|---|---|
	$others
	Small histories and traces by hand, in which something was planted, are in `tests/chaos/histories` and `tests/simulate/traces`. They show that
	[each checker](histories.md#which-checker-judges-what) finds a second holder, a lost fence, a permit too many and a write out of order.

	$runs
	MARKDOWN);
