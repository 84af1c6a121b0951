<?php
/*
 * stage.php TO: copies the pages of the site: README.md as its first page, CHANGELOG.md and its like, docs/ and what it shows.
 *
 * The same files are read on a repository's page, where a link may lead to any file. On the site such a link becomes plain
 * text, unless the environment names the repository's page: REDISLOCK_REPOSITORY=https://host/owner/name.
 */
$top = dirname(__DIR__, 3);
$to = $argv[1];
$repository = rtrim((string) getenv('REDISLOCK_REPOSITORY'), '/');

$pages = [];
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$top/docs", FilesystemIterator::SKIP_DOTS));
foreach ([...glob("$top/*.md"), "$top/adapters/README.md", "$top/bench/README.md", "$top/bench/RESULTS.md", ...$files] as $file) {
	if (preg_match('/\.(md|svg)$/', (string) $file)) {
		$pages[substr((string) $file, strlen($top) + 1)] = (string) $file;
	}
}
/* Where a page stands on the site. */
$place = fn (string $page): string => preg_replace(['~(^|/)README\.md$~', '~(^|/)README\.zh-CN\.md$~'], ['$1index.md', '$1zh/index.md'], $page);

/* "a/b/../c" without the dots. */
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

foreach ($pages as $page => $file) {
	$text = file_get_contents($file);
	if (str_ends_with($page, '.md')) {
		$link = function (array $m) use ($page, $pages, $place, $repository): string {
			[, $mark, $words, $path, $anchor] = $m + [4 => ''];
			$target = $path === '' ? $page : plain_path(dirname($page) . "/$path");
			if (isset($pages[$target])) {
				return "{$mark}[$words](/" . $place($target) . "$anchor)";
			}
			return $repository === '' ? $words : "{$mark}[$words]($repository/blob/HEAD/$target$anchor)";
		};
		$text = preg_replace_callback('~(!?)\[((?:[^][]|\[[^]]*\])*)\]\((?!https?:|mailto:)([^)#]*)(#[^)]*)?\)~', $link, $text);
	}
	$copy = "$to/" . $place($page);
	is_dir(dirname($copy)) || mkdir(dirname($copy), 0777, true);
	file_put_contents($copy, $text);
}
