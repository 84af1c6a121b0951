<?php
/*
 * translations.php: which page is translated where, and from what. The first line of a translation names the English text it
 * was made from, as git names a file's content, so that git shows what has changed since. Also, what links lead to.
 */

/** Each English page to be translated, and its translation. */
function translations(string $top): array
{
	$pages = ['README.md' => 'README.zh-CN.md', 'INSTALL.md' => 'INSTALL.zh-CN.md'];
	foreach ([...glob("$top/docs/guide/*.md"), ...glob("$top/docs/operate/*.md")] as $file) {
		$page = substr($file, strlen("$top/docs/"));
		$pages["docs/$page"] = "docs/zh/$page";
	}
	return $pages;
}

/** The first line of a translation of this text. */
function translation_mark(string $page, string $english): string
{
	return "<!-- Made from $page, git blob " . sha1('blob ' . strlen($english) . "\0$english") . " -->\n";
}

/** The blob a translation was made from; null where it does not say so. */
function translated_blob(string $text): ?string
{
	return preg_match('/\A<!-- Made from \S+, git blob ([0-9a-f]{40}) -->\n/', $text, $m) ? $m[1] : null;
}

/** "a/b/../c" without the dots. */
function plain_path(string $path): string
{
	$parts = [];
	foreach (explode('/', $path) as $part) {
		if ($part === '..') {
			array_pop($parts);
		} elseif ($part !== '' && $part !== '.') {
			$parts[] = $part;
		}
	}
	return implode('/', $parts);
}
