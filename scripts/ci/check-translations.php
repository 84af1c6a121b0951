#!/usr/bin/env php
<?php
/*
 * check-translations.php: the Chinese pages keep up with the English ones.
 *
 *     scripts/ci/check-translations.php [--write [PAGE...]]
 *
 * Fails where a page is missing, links lead nowhere or to English pages that are translated, or a block of code, comments
 * aside, is not the English one. A page whose English text has changed since is no failure, but a note. One that claims
 * to be up to date has the same headings, links and names in back-ticks. --write has the pages, or those named, say that
 * they are up to date.
 */

declare(strict_types=1);

require dirname(__DIR__) . '/inc/translations.php';

/** Without its comments and the white space between words. */
function bare_code(string $code, string $language): string
{
	if ($language === 'php') {
		$file = tempnam(sys_get_temp_dir(), 'block');
		file_put_contents($file, str_starts_with($code, '<?php') ? $code : "<?php\n$code");
		$code = php_strip_whitespace($file);
		unlink($file);
	} else {
		$code = preg_replace('/(^|\s)#\s.*$/m', '', $code);
	}
	return trim(preg_replace('/\s+/', ' ', $code));
}

/** A page's blocks of code, fenced and indented, and its text without them. */
function parts(string $page): array
{
	$blocks = [];
	$text = '';
	$fence = $indented = null;
	$blank = true;
	foreach (explode("\n", "$page\n") as $line) {
		if ($fence !== null) {
			if (rtrim($line) === '```') {
				$blocks[] = bare_code(implode("\n", $fence[1]), $fence[0]);
				$fence = null;
			} else {
				$fence[1][] = $line;
			}
			continue;
		}
		if (($blank || $indented !== null) && preg_match('/^(\t| {4})\s*\S/', $line)) {
			$indented[] = $line;
			continue;
		}
		if ($indented !== null) {
			$blocks[] = bare_code(implode("\n", $indented), '');
			$indented = null;
		}
		if (preg_match('/^```(\w*)$/', $line, $m)) {
			$fence = [$m[1], []];
			continue;
		}
		$blank = trim($line) === '';
		$text .= "$line\n";
	}
	return [$blocks, $text];
}

/** The anchors of a page's headings, as GitHub and the site make them. */
function anchors(string $file): array
{
	preg_match_all('/^#+ (.*)$/m', parts((string) file_get_contents($file))[1], $m);
	return array_map(fn ($heading) => strtr(preg_replace('/[^\w -]/u', '', strtolower($heading)), ' ', '-'), $m[1]);
}

/** The links of a text: [words, file in the tree, anchor]. */
function links(string $page, string $text): array
{
	preg_match_all('/\[((?:[^][]|\[[^]]*\])*)\]\((?!https?:|mailto:)([^)#]*)#?([^)]*)\)/', $text, $m, PREG_SET_ORDER);
	return array_map(fn ($link) => [$link[1], $link[2] === '' ? $page : plain_path(dirname($page) . "/$link[2]"), $link[3]], $m);
}

/** What has to be the same in both languages: [what it is called, the values]. */
function shape(string $page, string $text, array $translations): array
{
	preg_match_all('/^(#+) /m', $text, $headings);
	preg_match_all('/(`+)(.+?)\1/s', $text, $names);
	$targets = array_map(fn ($link) => $translations[$link[1]] ?? $link[1], array_filter(links($page, $text), fn ($link) => !in_array($link[0], ['English', '简体中文'], true)));
	return [
		['headings', [implode(' ', $headings[1])]],
		['names', array_map(fn ($name) => preg_replace('/\s+/', ' ', $name), $names[2])],
		['links', $targets],
		['rows of tables', [(string) preg_match_all('/^\|/m', $text)]],
	];
}

$arguments = array_slice($argv, 1);
$write = ($arguments[0] ?? '') === '--write' && array_shift($arguments);
chdir(dirname(__DIR__, 2));
$translations = translations('.');
if ($write ? array_diff($arguments, $translations) !== [] : $arguments !== []) {
	fwrite(STDERR, "usage: scripts/ci/check-translations.php [--write [PAGE...]]\n");
	exit(2);
}
$failed = false;
$fail = function (string $page, string $what) use (&$failed): void {
	fwrite(STDERR, "$page: $what\n");
	$failed = true;
};

foreach ($translations as $page => $translation) {
	$english = (string) file_get_contents($page);
	if (!is_file($translation)) {
		$fail($translation, "missing, the translation of $page");
		continue;
	}
	$chinese = (string) file_get_contents($translation);
	$mark = translation_mark($page, $english);
	$blob = translated_blob($chinese);
	if ($write && ($arguments === [] || in_array($translation, $arguments, true))) {
		$chinese = $mark . ($blob === null ? $chinese : substr($chinese, strlen($mark)));
		file_put_contents($translation, $chinese);
		$blob = translated_blob($chinese);
	}
	[$blocks, $text] = parts($english);
	[$ours, $our_text] = parts($chinese);
	if (count($blocks) !== count($ours)) {
		$fail($translation, count($ours) . " blocks of code, $page has " . count($blocks));
	}
	foreach (array_map(null, $blocks, $ours) as $i => [$theirs, $block]) {
		if ($block !== $theirs) {
			$fail($translation, 'block ' . $i + 1 . " of code is not that of $page:\n  here   $block\n  there  $theirs");
		}
	}
	foreach (links($translation, $our_text) as [$words, $target, $anchor]) {
		if (isset($translations[$target]) && $words !== 'English') {
			$fail($translation, "leads to $target, which is translated");
		} elseif (!file_exists($target)) {
			$fail($translation, "leads to $target, which is not there");
		} elseif ($anchor !== '' && !in_array($anchor, anchors($target), true)) {
			$fail($translation, "leads to the section #$anchor of $target, which is not there");
		}
	}
	if ($blob === null) {
		$fail($translation, "does not begin with the line that --write makes:\n  $mark");
	} elseif ($blob !== translated_blob($mark)) {
		echo "note: $translation is older than $page: git diff --word-diff " . substr($blob, 0, 12) . " HEAD:$page\n";
	} else {
		foreach (array_map(null, shape($page, $text, $translations), shape($translation, $our_text, [])) as [[$what, $theirs], [, $here]]) {
			foreach (['has not' => array_diff($theirs, $here), 'alone has' => array_diff($here, $theirs)] as $which => $differences) {
				if ($differences !== []) {
					$fail($translation, "$which these $what: " . implode(', ', array_unique($differences)));
				}
			}
		}
	}
}
foreach (array_diff(glob('docs/zh/*/*.md'), $translations) as $page) {
	$fail($page, 'there is no such page in English');
}
foreach (['README.md', 'INSTALL.md'] as $page) {
	if (!in_array($translations[$page], array_column(links($page, (string) file_get_contents($page)), 1), true)) {
		$fail($page, "does not lead to $translations[$page]");
	}
}
exit($failed ? 1 : 0);
