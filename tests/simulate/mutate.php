<?php
/*
 * Breaks rules of mutants.txt for scripts/ci/simulate.sh.
 *
 *     mutate.php --list [PATTERN]    the names that match (a regular expression), each behind what found it last and a tab
 *     mutate.php FOLDER NAME         breaks that one in a copy of the tree, and prints the files it has changed
 */

declare(strict_types=1);

/** @return array<string, list<array{from: string, to: string}>> */
function mutants(): array
{
	$mutants = [];
	$name = $last = '';
	foreach (file(__DIR__ . '/mutants.txt', FILE_IGNORE_NEW_LINES) as $line) {
		$mark = $line[0] ?? '';
		if (str_starts_with($line, '== ')) {
			$name = substr($line, 3);
			$mutants[$name] = [];
		} elseif ($mark === '-' && $last !== '-') {
			$mutants[$name][] = ['from' => substr($line, 1), 'to' => null];
		} elseif ($mark === '-' || $mark === '+') {
			$text = &$mutants[$name][array_key_last($mutants[$name])][$mark === '-' ? 'from' : 'to'];
			$text = ($text === null ? '' : "$text\n") . substr($line, 1);
			unset($text);
		}
		$last = $mark;
	}
	return $mutants;
}

/** The one file below src/ and lua/ that has the text, once. */
function place_of(string $folder, string $text): string
{
	$found = [];
	foreach ([...glob("$folder/src/*/*.[ch]"), ...glob("$folder/lua/*.lua"), ...glob("$folder/lua/parts/*.lua")] as $file) {
		if (!str_ends_with($file, '/rlk_scripts.c')) {
			array_push($found, ...array_fill(0, substr_count(file_get_contents($file), $text), $file));
		}
	}
	if (count($found) !== 1) {
		fwrite(STDERR, sprintf("it is there %d times, which should be once: %s\n", count($found), $text));
		exit(1);
	}
	return $found[0];
}

if ($argv[1] === '--list') {
	$mutants = file_get_contents(__DIR__ . '/mutants.txt');
	foreach (array_keys(mutants()) as $name) {
		if (preg_match('~' . ($argv[2] ?? '') . '~', $name)) {
			preg_match('~^== ' . preg_quote($name, '~') . '\n@ (.+)$~m', $mutants, $found);
			echo $found[1] ?? 0, "\t$name\n";
		}
	}
	exit(0);
}
foreach (mutants()[$argv[2]] as ['from' => $from, 'to' => $to]) {
	$file = place_of($argv[1], $from);
	file_put_contents($file, str_replace($from, (string) $to, file_get_contents($file)));
	echo substr($file, strlen($argv[1]) + 1), "\n";
}
