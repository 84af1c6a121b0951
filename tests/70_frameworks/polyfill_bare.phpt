--TEST--
"composer require redislock/lock predis/predis", and a PHP without any extension runs the lease of README.md; without Predis it says what is missing
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
trim((string) shell_exec('command -v composer')) !== '' || die('skip composer is not installed');
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$server = new Server();
preg_match('/^```php\n(\$lock = new RedisLock\(.*?)^```/ms', file_get_contents(__DIR__ . '/../../README.md'), $sample);
$code = '<?php
	require __DIR__ . "/vendor/autoload.php";
	function takeOneFromStock(): void { global $lock; echo "took one, under ", $lock, "\n"; }
	try {
		' . preg_replace("~'redis://[^']*'~", var_export("unix:$server->socket", true), $sample[1], 1, $count) . '
		echo RedisLock\stats()["implementation"], ", ", json_encode([extension_loaded("redislock"), $lock->isHeld(), $lock->holder()]), "\n";
		echo $lock->synchronized("time");
	} catch (LogicException $e) {
		echo $e->getMessage(), "\n";
	}';
$vendor = dirname(vendor_autoload());
$path = fn (string $name, string $folder, string $version) => ['type' => 'path', 'url' => $folder, 'options' => ['versions' => [$name => $version]]];
foreach ([['redislock/lock' => '*', 'predis/predis' => '*'], ['redislock/lock' => '*']] as $require) {
	$folder = sys_get_temp_dir() . '/polyfill_bare-' . getmypid();
	mkdir($folder);
	file_put_contents("$folder/composer.json", json_encode(['repositories' => [['packagist.org' => false], $path('redislock/lock', dirname(__DIR__, 2) . '/packages/lock', '0.1.0'),
		$path('predis/predis', "$vendor/predis/predis", '3.7.0'), $path('psr/http-message', "$vendor/psr/http-message", '2.0')], 'require' => $require]));
	file_put_contents("$folder/code.php", $code);
	exec('COMPOSER_HOME=' . escapeshellarg($folder) . ' COMPOSER_ALLOW_SUPERUSER=1 composer install --no-interaction --no-plugins --working-dir=' . escapeshellarg($folder) . ' 2>&1', $said, $status);
	echo $status === 0 ? shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg("$folder/code.php") . ' 2>&1') : implode("\n", $said), "\n";
	exec('rm -r ' . escapeshellarg($folder));
}
?>
--EXPECT--
took one, under stock[60]
polyfill, [false,false,null]
synchronized() needs the PHP extension redislock, which is not loaded: "pie install redislock/redislock" installs it. Without it there are leases on one server only

This lock needs the PHP extension redislock, which is not loaded: "pie install redislock/redislock" installs it. For leases predis/predis 3 is enough, for tests RedisLock\Testing\ArrayLockFactory.

