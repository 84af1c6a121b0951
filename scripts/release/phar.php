<?php
/*
 * phar.php: puts the program redislock into one file, with what it needs of build/vendor. Run by phar.sh.
 */

declare(strict_types=1);

[, $top, $file] = $argv;
$vendor = "$top/build/vendor/vendor";
/* Where the classes of a namespace are. */
$parts = [
	'RedisLock\Console\\' => "$top/packages/console/src",
	'RedisLock\\' => "$top/packages/lock/src",
	'Predis\\' => "$vendor/predis/predis/src",
	'Psr\Http\Message\\' => "$vendor/psr/http-message/src",
	'Symfony\Component\Console\\' => "$vendor/symfony/symfony/src/Symfony/Component/Console",
	'Symfony\Component\String\\' => "$vendor/symfony/symfony/src/Symfony/Component/String",
	'Symfony\Contracts\Service\\' => "$vendor/symfony/service-contracts",
	'Psr\Container\\' => "$vendor/psr/container/src",
	'Symfony\Polyfill\Mbstring\\' => "$vendor/symfony/polyfill-mbstring",
	'Symfony\Polyfill\Ctype\\' => "$vendor/symfony/polyfill-ctype",
	'Symfony\Polyfill\Intl\Grapheme\\' => "$vendor/symfony/polyfill-intl-grapheme",
	'Symfony\Polyfill\Intl\Normalizer\\' => "$vendor/symfony/polyfill-intl-normalizer",
	'Symfony\Polyfill\Php83\\' => "$vendor/symfony/polyfill-php83",
];
/* What defines functions. */
$functions = ['Symfony\Polyfill\Mbstring\\' => 'bootstrap.php', 'Symfony\Polyfill\Ctype\\' => 'bootstrap.php',
	'Symfony\Polyfill\Intl\Grapheme\\' => 'bootstrap.php', 'Symfony\Polyfill\Intl\Normalizer\\' => 'bootstrap.php',
	'Symfony\Component\String\\' => 'Resources/functions.php'];
/* Of our own only what the program uses: the rest needs frameworks. */
$ours = '~^(Adapter/|Local/|Polyfill/|LockFactory|Locks|Options)~';

@unlink($file);
$files = $folders = [];
foreach ($parts as $namespace => $folder) {
	if (!is_dir($folder)) {
		fwrite(STDERR, "$folder is missing: scripts/vendor.sh fetches it\n");
		exit(1);
	}
	$folders[$namespace] = strtr($namespace, '\\', '/');
	foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator($folder, FilesystemIterator::SKIP_DOTS)) as $found) {
		$name = substr((string) $found, strlen($folder) + 1);
		if (str_contains($name, 'Tests/') || $namespace === 'RedisLock\\' && !preg_match($ours, $name) ||
			!preg_match('~\.(php|bash|zsh|fish|json)$|LICENSE~', $name)) {
			continue;
		}
		$files[$folders[$namespace] . $name] = (string) $found;
	}
}
foreach (glob("$top/packages/lock/{lua,polyfill}/*", GLOB_BRACE) as $other) {
	$files[basename(dirname($other)) . '/' . basename($other)] = $other;
}
$files['deprecation.php'] = "$vendor/symfony/deprecation-contracts/function.php";
$phar = new Phar($file, 0, 'redislock.phar');
/* All of them at once: each call that adds something writes the whole file anew. */
$phar->buildFromIterator(new ArrayIterator($files));
$phar->addFromString('autoload.php', '<?php
spl_autoload_register(static function (string $class): void {
	static $folders = ' . var_export($folders, true) . ';
	foreach ($folders as $namespace => $folder) {
		if (str_starts_with($class, $namespace)) {
			$rest = substr($class, strlen($namespace));
			/* Polyfills keep the classes that they stand in for among their resources. */
			@include __DIR__ . "/$folder" . strtr($rest, "\\\\", "/") . ".php";
			return;
		}
	}
});
if (!extension_loaded("redislock")) {
' . implode('', array_map(fn (string $polyfill): string => "\trequire __DIR__ . '/polyfill/" . basename($polyfill) . "';\n",
	glob("$top/packages/lock/polyfill/*.php"))) . '}
require __DIR__ . "/deprecation.php";
' . implode('', array_map(fn (string $namespace, string $name): string => 'require __DIR__ . "/' . $folders[$namespace] . "$name\";\n",
	array_keys($functions), $functions)));
$phar->setStub("#!/usr/bin/env php\n<?php\nPhar::mapPhar('redislock.phar');\nrequire 'phar://redislock.phar/autoload.php';\n" .
	"exit((new RedisLock\\Console\\Application())->run());\n__HALT_COMPILER();\n");
chmod($file, 0755);
