#!/usr/bin/env php
<?php
/*
 * check-tests.php: what tests/README.md asks of a test and no test would show.
 *
 *     scripts/ci/check-tests.php
 *
 * - Nobody asks comes_true(), stays_true() or is_renewed() and drops the answer: that is for wait_until().
 * - Nobody drops what acquire() or keepAlive() of a lock answers, of which PHP warns from 8.5 on: $_ = $lock->acquire(). In strings, too.
 * - A sleep of 5 ms or more is pause(), or a comment on its line says why it is none. Those of 5 s and more are there to be
 *   interrupted.
 * - No more than nine values without a name follow each other in an expectation: step() gives them names.
 * - Words for errors that other C libraries say otherwise pass in_words_of_glibc(); and nothing asks for GLOB_BRACE, which musl lacks.
 * - "slow: why" is a comment of its own, and the first of the program; a test that calls expect_within() has --CONFLICTS-- "all".
 * - No two tests have the same name: it is what their keys begin with, and how they are found.
 * - Every numbered folder is in the table of tests/README.md.
 */

declare(strict_types=1);

const ASKED = ['comes_true', 'stays_true', 'is_renewed'];
const ROW = 9;
/* They drop it on purpose, or have an acquire() of somebody else. */
const DROPPING = '~00_module/discarded_results|70_frameworks/(?:drupal|symfony|waited_lease|yii)~';

const GLIBC = '/Connection timed out|Too many open files|Cannot allocate memory|Name or service not known/';

chdir(dirname(__DIR__, 2));
$problems = 0;
$problem = function (string $what) use (&$problems): void {
	echo $what, "\n";
	$problems++;
};

/** The significant token before or behind the one at $i. */
function beside(array $tokens, int $i, int $by): ?PhpToken
{
	for ($i += $by; isset($tokens[$i]) && $tokens[$i]->isIgnorable(); $i += $by);
	return $tokens[$i] ?? null;
}

/** Lines on which a question is a statement. @return list<int> */
function dropped(string $code): array
{
	$tokens = PhpToken::tokenize($code);
	$lines = [];
	foreach ($tokens as $i => $token) {
		if (!$token->is(T_STRING) || !in_array($token->text, ASKED, true) || !beside($tokens, $i, -1)?->is([';', '{', '}', T_OPEN_TAG])) {
			continue;
		}
		for ($depth = 0, $end = $i + 1; isset($tokens[$end]); $end++) {
			$depth += ['(' => 1, ')' => -1][$tokens[$end]->text] ?? 0;
			if ($tokens[$end]->text === ')' && $depth === 0) {
				break;
			}
		}
		if (beside($tokens, $end, 1)?->is(';')) {
			$lines[] = $token->line;
		}
	}
	return $lines;
}

$files = new RegexIterator(new RecursiveIteratorIterator(new RecursiveDirectoryIterator('tests')), '/\.(phpt|inc|php)$/');
foreach ($files as $file) {
	$text = file_get_contents((string) $file);
	/* In a phpt only that section is PHP; the lines keep their numbers. */
	$code = preg_match('/^--FILE--\n(.*?)(?=^--[A-Z]+--$|\z)/ms', $text, $m, PREG_OFFSET_CAPTURE) ?
		str_repeat("\n", substr_count($text, "\n", 0, $m[1][1])) . $m[1][0] : $text;
	foreach (dropped($code) as $line) {
		$problem("$file:$line: the answer is dropped; wait_until() needs none");
	}
	foreach (explode("\n", $code) as $i => $line) {
		/* In strings, too. */
		if (preg_match('/^\s*(?:' . implode('|', ASKED) . ')\(.*\);\s*$/', $line) && !in_array($i + 1, dropped($code), true) &&
			!str_contains($line, '||') && substr_count($line, '(') === substr_count($line, ')')) {
			$problem("$file:" . ($i + 1) . ': the answer is dropped; wait_until() needs none');
		}
		if (preg_match('/^\s*(?:\$|\(|\w+[(:])(?!.*(?:=|&&|\|\|) )[^;]*->(?:acquire|keepAlive)\([^()]*\);/', str_replace('=> ', '', $line)) &&
			!preg_match(DROPPING, (string) $file)) {
			$problem("$file:" . ($i + 1) . ': the answer is dropped, of which PHP 8.5 warns');
		}
		if (preg_match('/\b(u?)sleep\(([\d_]+)\)/', $line, $sleep) && !str_contains($line, '/*')) {
			$ms = (int) str_replace('_', '', $sleep[2]) * ($sleep[1] === 'u' ? 0.001 : 1000);
			if ($ms >= 5 && $ms < 5000) {
				$problem("$file:" . ($i + 1) . ': pause() says why nothing can be awaited; else a comment on the line');
			}
		}
	}
	if (preg_match('~/[/*]+\s*slow\b~i', $code) && !preg_match('~^--FILE--\n<\?php\n/\* slow: \w[^\n]* \*/$~m', $text)) {
		$problem("$file: the first line of the program is to be /* slow: why */");
	}
	if (str_ends_with((string) $file, '.phpt')) {
		preg_match_all('~__DIR__ \. \'(/\w+\.inc)\'~', $code, $m);
		$all = $code . implode(array_map(fn (string $name) => (string) @file_get_contents(dirname((string) $file) . $name), $m[1]));
		if (str_contains($all, 'expect_within(') && !preg_match('/^--CONFLICTS--\nall$/m', $text)) {
			$problem("$file: it judges milliseconds, and runs behind the others if it has --CONFLICTS-- \"all\"");
		}
	}
	if (str_contains($code, 'GLOB_BRACE')) {
		$problem("$file: musl has no GLOB_BRACE");
	}
	if (preg_match('/^--EXPECTF?--\n(.*)/ms', $text, $m, PREG_OFFSET_CAPTURE)) {
		if (preg_match(GLIBC, $m[1][0]) && !str_contains($code . @file_get_contents(substr((string) $file, 0, -4) . 'inc'), 'in_words_of_glibc(')) {
			$problem("$file: only glibc has these words for an error; see in_words_of_glibc()");
		}
		for ($row = 0, $i = substr_count($text, "\n", 0, $m[1][1]), $lines = explode("\n", $text); $i < count($lines); $i++) {
			$row = preg_match('/^(?:bool\(\w+\)|int\(-?\d+\)|NULL)$/', $lines[$i]) ? $row + 1 : 0;
			if ($row === ROW + 1) {
				$problem("$file:" . ($i + 1) . ': more than ' . ROW . ' values without a name; step() gives them one');
			}
		}
	}
}
foreach (glob('tests/[0-9]*/*.phpt') as $file) {
	$first = $named[basename($file)] ??= $file;
	$first === $file || $problem("$file: $first has that name");
}
$readme = file_get_contents('tests/README.md');
foreach (glob('tests/[0-9]*', GLOB_ONLYDIR) as $folder) {
	str_contains($readme, '`' . basename($folder) . '`') || $problem("tests/README.md: its table lacks $folder");
}
exit($problems > 0 ? 1 : 0);
