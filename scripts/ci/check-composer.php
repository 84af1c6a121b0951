#!/usr/bin/env php
<?php
/*
 * composer.json keeps the rules of PIE, the installer of extensions, and agrees with config.m4, php_redislock.h and
 * package.xml; and what PIE would download, the archive of the repository, holds what a build needs.
 */

declare(strict_types=1);

$root = dirname(__DIR__, 2);
$failed = false;

function check(bool $ok, string $what): void
{
	if (!$ok) {
		fwrite(STDERR, "composer.json: $what\n");
		$GLOBALS['failed'] = true;
	}
}

function is_list_of(mixed $value, callable $is): bool
{
	return is_array($value) && array_is_list($value) && $value !== [] && count(array_filter($value, $is)) === count($value);
}

$composer = json_decode((string) file_get_contents("$root/composer.json"), true, 16, JSON_THROW_ON_ERROR);
$ext = $composer['php-ext'] ?? [];

check(in_array($composer['type'] ?? null, ['php-ext', 'php-ext-zend'], true), 'the type is neither php-ext nor php-ext-zend');
check(preg_match('~^[a-z0-9]([_.-]?[a-z0-9]+)*/[a-z0-9](([_.]|-{1,2})?[a-z0-9]+)*$~', $composer['name'] ?? '') === 1,
	'the name is not vendor/package in small letters');
foreach (['description', 'license'] as $key) {
	check(is_string($composer[$key] ?? null), "there is no $key");
}
check(!isset($composer['version']), 'the version is the tag of the release, and not to be written here');
foreach (array_keys($composer['require'] ?? []) as $package) {
	check($package === 'php' || str_starts_with($package, 'ext-') || str_starts_with($package, 'lib-'),
		"requires $package, which PIE would not install");
}

$known = ['extension-name', 'priority', 'support-zts', 'support-nts', 'build-path', 'download-url-method', 'os-families',
	'os-families-exclude', 'configure-options'];
foreach (array_diff(array_keys($ext), $known) as $key) {
	check(false, "php-ext has an unknown key $key");
}
$name = $ext['extension-name'] ?? substr((string) strrchr($composer['name'], '/'), 1);
check(preg_match('/^[A-Za-z][A-Za-z0-9_]+$/', $name) === 1 && !str_starts_with($name, 'ext-'), "\"$name\" is no name of an extension");
check(is_int($ext['priority'] ?? 80), 'the priority is no integer');
foreach (['support-zts', 'support-nts'] as $key) {
	check(is_bool($ext[$key] ?? true), "$key is neither true nor false");
}
$methods = $ext['download-url-method'] ?? ['composer-default'];
check(is_list_of($methods, static fn ($method): bool => in_array($method, ['composer-default', 'pre-packaged-source', 'pre-packaged-binary'], true)),
	'download-url-method is no list of methods PIE knows');
check(in_array('composer-default', (array) $methods, true), 'without composer-default PIE compiles nothing');
check(!isset($ext['os-families'], $ext['os-families-exclude']), 'os-families and os-families-exclude exclude each other');
foreach (['os-families', 'os-families-exclude'] as $key) {
	check(!isset($ext[$key]) || is_list_of($ext[$key],
		static fn ($os): bool => in_array($os, ['windows', 'bsd', 'darwin', 'solaris', 'linux', 'unknown'], true)), "$key is wrong");
}

/* Every option is one of configure, and takes a value where that does. */
$m4 = (string) file_get_contents("$root/config.m4");
foreach ($ext['configure-options'] ?? [] as $option) {
	check(array_diff(array_keys($option), ['name', 'needs-value', 'description']) === [], 'an option has an unknown key');
	check(preg_match('/^(with|enable)-([a-zA-Z0-9][a-zA-Z0-9_-]*)$/', $option['name'] ?? '', $m) === 1, 'an option has no proper name');
	check(is_string($option['description'] ?? null), "{$option['name']} has no description");
	check(preg_match('/PHP_ARG_' . strtoupper($m[1] ?? '') . '\(\[' . preg_quote($m[2] ?? '', '/') . '\]/', $m4) === 1,
		"configure knows no --{$option['name']}");
	check(($option['needs-value'] ?? false) === (($m[1] ?? '') === 'with'), "needs-value of {$option['name']} is not as in config.m4");
}

/* The same facts in other places. */
check(str_contains($m4, "PHP_NEW_EXTENSION([$name]"), "config.m4 builds no extension $name");
check(str_contains((string) file_get_contents("$root/package.xml"), "<providesextension>$name</providesextension>"),
	"package.xml provides no extension $name");
preg_match('/<php>\s*<min>(\d+\.\d+)/', (string) file_get_contents("$root/package.xml"), $min);
check(($composer['require']['php'] ?? '') === '>=' . ($min[1] ?? '?'), 'package.xml asks for another PHP');

/* What git leaves out of an archive; there is none outside a repository. */
$git = 'git -c safe.directory=' . escapeshellarg($root) . ' -C ' . escapeshellarg($root);
$committed = explode("\n", (string) shell_exec("$git ls-tree -r --name-only HEAD 2>/dev/null"));
$archived = explode("\n", (string) shell_exec("$git archive --worktree-attributes --format=tar HEAD 2>/dev/null | tar -t"));
$needed = preg_grep('~^(composer\.json|config\.(m4|w32)|LICENSE|README\.md|[a-z_]+\.[ch]|src/.*\.[ch])$~', $committed);
foreach (array_diff($needed, $archived) as $file) {
	check(false, ".gitattributes keeps from the archive what a build needs: $file");
}

exit($failed ? 1 : 0);
