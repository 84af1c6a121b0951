#!/usr/bin/env php
<?php
/*
 * check-docs.php: what the documents link to and name is there: headings, files, functions; Chinese pages have the code of the
 * English ones; and the documents are short enough.
 *
 *     scripts/ci/check-docs.php [--count]
 *
 * --count prints the words of each page for users. A word is what stands between white space, code and tables included.
 */

declare(strict_types=1);

require dirname(__DIR__) . '/inc/plain_path.php';

const AT_MOST = ['README.md' => 900, 'CONTRIBUTING.md' => 1500];
const FOR_USERS = 30000;

chdir(dirname(__DIR__, 2));
$failed = false;
$fail = function (string $what) use (&$failed): void {
	fwrite(STDERR, "$what\n");
	$failed = true;
};
$pages = [];
foreach (explode("\0", rtrim((string) shell_exec('git ls-files -z --cached --others --exclude-standard -- "*.md"'), "\0")) as $page) {
	if (is_file($page)) {
		$pages[$page] = (string) file_get_contents($page);
	}
}

/** A page without its blocks of code. */
function prose(string $page): string
{
	return (string) preg_replace(['/^```.*?^```$/ms', '/(?<=\n\n)((\t| {4}).*\n)+/'], '', $page);
}

/** The anchors of a page's headings, as GitHub and the site make them. */
function anchors(string $page): array
{
	preg_match_all('/^#+ (.*)$/m', prose($page), $m);
	return array_map(fn ($heading) => strtr((string) preg_replace('/[^\w -]/u', '', mb_strtolower($heading)), ' ', '-'), $m[1]);
}

/** The blocks of code, without comments and the white space between words. */
function code(string $page): array
{
	preg_match_all('/^```\w*\n((?s:.*?))^```$|(?<=\n\n)((?:(?:\t| {4}).*\n)+)/m', $page, $m);
	return array_map(fn ($code) => trim((string) preg_replace(['~(^|\s)(#|//)\s.*$~m', '~/\*.*?\*/~s', '/\s+/'], ['', '', ' '], $code)), array_map(strval(...), array_map(fn ($a, $b) => $a . $b, $m[1], $m[2])));
}

/* All that stands in front of a parenthesis in our sources. */
preg_match_all('/\w+(?=\()/', (string) shell_exec("git grep -hIF -e '(' -- 'src/*.[ch]' 'tests/*.[ch]' tests/inc '*.stub.php'"), $called);
$functions = array_flip(array_flip($called[0]));

$words = [];
foreach ($pages as $page => $text) {
	preg_match_all('/\]\((?!https?:|mailto:)([^)#\s]*)#?([^)]*)\)/', prose($text), $links, PREG_SET_ORDER);
	foreach ($links as [, $path, $anchor]) {
		$target = $path === '' ? $page : plain_path(dirname($page) . "/$path");
		if (!file_exists($target)) {
			$fail("$page: leads to $target, which is not there");
		} elseif ($anchor !== '' && isset($pages[$target]) && !in_array($anchor, anchors($pages[$target]), true)) {
			$fail("$page: leads to the section #$anchor of $target, which is not there");
		}
	}
	preg_match_all('~`\K(?:src|lua|compat|examples|docs|tests)/[\w/.-]+(?=`)|(?<![\w/.])(?:scripts|bench)/[\w/.-]*\w~', $text, $names);
	/* packaging/ names files of other projects. */
	foreach (str_starts_with($page, 'packaging/') ? [] : $names[0] as $name) {
		if (!file_exists($name)) {
			$fail("$page: names $name, which is not there");
		}
	}
	preg_match_all('/`((?!pcntl_)\w*_\w+)\(\)`/', str_starts_with($page, 'docs/internals/') ? $text : '', $names);
	foreach (array_diff($names[1], $functions) as $name) {
		$fail("$page: names $name(), which is not there");
	}
	/* Those are split off into repositories of their own. */
	if (preg_match('~^(?:packages|stubs)/~', $page) && preg_match('~\]\(\.\./.*?\)~', $text, $link)) {
		$fail("$page: has a link out of its folder: $link[0]");
	}
	$english = preg_replace(['~^docs/zh/~', '~\.zh-CN\.md$~'], ['docs/', '.md'], $page);
	if ($english !== $page) {
		foreach (array_diff(code($text), isset($pages[$english]) ? code($pages[$english]) : []) as $block) {
			$fail("$page: this code is not in $english: $block");
		}
	}
	$count = count(preg_split('/\s+/', $text, -1, PREG_SPLIT_NO_EMPTY));
	if ($count > (AT_MOST[$page] ?? PHP_INT_MAX)) {
		$fail("$page: $count words, at most " . AT_MOST[$page]);
	}
	if (preg_match('~^(README|INSTALL|docs/(guide|operate|reference)/[^/]+|packages/[^/]+/README)\.md$~', $page)) {
		$words[$page] = $count;
	}
}
if (in_array('--count', $argv, true)) {
	asort($words);
	foreach ($words as $page => $count) {
		printf("%6d  %s\n", $count, $page);
	}
}
$sum = array_sum($words);
if ($sum > FOR_USERS) {
	$fail("the pages for users have $sum words, at most " . FOR_USERS);
}
echo "$sum words for users\n";
exit($failed ? 1 : 0);
