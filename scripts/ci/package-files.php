#!/usr/bin/env php
<?php
/*
 * Writes the list of files in package.xml from the tree. With --check it writes
 * nothing and exits 1 when the list is another one.
 *
 * The package carries what builds, tests and documents the extension; what only
 * its developers use stays in the repository.
 */

declare(strict_types=1);

/** The role of a file in the package, null when it is not part of it. */
function role(string $file): ?string
{
	return match (true) {
		preg_match('~^tests/(unit|shell|fuzz|phpunit)/~', $file) === 1 => null,
		str_starts_with($file, 'tests/') => 'test',
		str_starts_with($file, 'src/'), str_starts_with($file, 'lua/') => 'src',
		str_starts_with($file, 'docs/'), str_starts_with($file, 'examples/') => 'doc',
		// Not "php": the packager would try to read them, and its parser ends at PHP 5.
		str_starts_with($file, 'compat/') => 'data',
		in_array($file, ['config.m4', 'config.w32'], true) => 'src',
		preg_match('/^(php_)?redislock[a-z_]*\.(c|h|stub\.php)$/', $file) === 1 => 'src',
		in_array($file, ['LICENSE', 'README.md', 'README.zh-CN.md', 'CHANGELOG.md'], true) => 'doc',
		default => null,
	};
}

/** Files of the tree: what git knows or would add; without git, whatever is there. */
function tree(string $root): array
{
	$list = shell_exec('git -c safe.directory=' . escapeshellarg($root) . ' -C ' . escapeshellarg($root) . ' ls-files --cached --others --exclude-standard 2>/dev/null');
	if (is_string($list)) {
		// A file deleted but not yet staged is still listed.
		$files = array_filter(explode("\n", $list), static fn (string $file): bool => is_file("$root/$file"));
	} else {
		$files = [];
		$walk = new RecursiveIteratorIterator(new RecursiveDirectoryIterator($root, FilesystemIterator::SKIP_DOTS));
		foreach ($walk as $entry) {
			$files[] = substr($entry->getPathname(), strlen($root) + 1);
		}
	}
	sort($files, SORT_STRING);

	return array_values(array_unique($files));
}

/** The <contents> element. */
function contents(string $root): string
{
	$lines = '';
	foreach (tree($root) as $file) {
		$role = role($file);
		if ($role === null) {
			continue;
		}
		$lines .= '   <file name="' . htmlspecialchars($file, ENT_XML1) . '" role="' . $role . "\"/>\n";
	}

	return " <contents>\n  <dir name=\"/\">\n$lines  </dir>\n </contents>";
}

if (array_diff(array_slice($argv, 1), ['--check']) !== []) {
	fwrite(STDERR, "usage: scripts/ci/package-files.php [--check]\n");
	exit(2);
}

$root = dirname(__DIR__, 2);
$found = (string) file_get_contents("$root/package.xml");
$contents = contents($root);
$wanted = preg_replace_callback('~ <contents>.*</contents>~s', static fn (): string => $contents, $found, 1, $count);
if ($count !== 1) {
	fwrite(STDERR, "package.xml has no <contents>\n");
	exit(1);
}
if ($wanted === $found) {
	exit(0);
}

if (in_array('--check', $argv, true)) {
	fwrite(STDERR, "package.xml does not list the tree: run scripts/ci/package-files.php\n");
	$names = static fn (string $xml): array => preg_match_all('/<file [^>]*name="([^"]*)"/', $xml, $m) ? $m[1] : [];
	foreach (array_diff($names($wanted), $names($found)) as $name) {
		fwrite(STDERR, "  missing: $name\n");
	}
	foreach (array_diff($names($found), $names($wanted)) as $name) {
		fwrite(STDERR, "  not in the tree: $name\n");
	}
	exit(1);
}
if (file_put_contents("$root/package.xml", $wanted) !== strlen($wanted)) {
	exit(1);
}
echo "package.xml written\n";
