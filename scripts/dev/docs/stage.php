<?php
/*
 * stage.php TO: copies the pages of the site: README.md as its first page, CHANGELOG.md and its like, docs/ and what it shows.
 *
 * The same files are read on a repository's page, where a link may lead to any file. On the site such a link becomes plain
 * text, unless the environment names the repository's page: REDISLOCK_REPOSITORY=https://host/owner/name.
 *
 * Chinese pages stand below /zh, where the site's switch of languages looks for them; where there is none, a page that says that
 * takes its place.
 */

require dirname(__DIR__, 2) . '/inc/plain_path.php';

$top = dirname(__DIR__, 3);
$to = $argv[1];
$repository = rtrim((string) getenv('REDISLOCK_REPOSITORY'), '/');

$pages = [];
$files = new RecursiveIteratorIterator(new RecursiveDirectoryIterator("$top/docs", FilesystemIterator::SKIP_DOTS));
foreach ([...glob("$top/*.md"), ...glob("$top/packages/*/README.md"), "$top/bench/README.md", "$top/bench/RESULTS.md", ...$files] as $file) {
	if (preg_match('/\.(md|svg)$/', (string) $file)) {
		$pages[substr((string) $file, strlen($top) + 1)] = (string) $file;
	}
}
/* Where a page stands on the site. */
$place = fn (string $page): string => preg_replace(['~(^|/)README\.md$~', '~^README\.zh-CN\.md$~', '~^(.+)\.zh-CN\.md$~', '~^docs/zh/~'], ['$1index.md', 'zh/index.md', 'zh/$1.md', 'zh/docs/'], $page);

$put = function (string $place, string $text) use ($to): void {
	is_dir(dirname("$to/$place")) || mkdir(dirname("$to/$place"), 0777, true);
	file_put_contents("$to/$place", $text);
};
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
	$put($place($page), $text);
	$in_chinese = preg_replace(['~^docs/~', '~^([A-Z]+)\.md$~'], ['docs/zh/', '$1.zh-CN.md'], $page);
	if (str_ends_with($page, '.md') && !preg_match('~^docs/zh/|\.zh-CN\.md$~', $page) && !isset($pages[$in_chinese])) {
		$title = preg_match('/^# (.*)$/m', $text, $m) ? $m[1] : basename($page, '.md');
		$put('zh/' . $place($page), "---\nsearch: false\n---\n# $title\n\n本页没有中文版，请看[英文版](/" . $place($page) . ")。\n");
	}
}
