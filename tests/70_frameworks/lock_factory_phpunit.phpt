--TEST--
ArrayLockFactory: the unit tests of an application run in PHPUnit, without the extension
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_adapters();
if (trim((string) shell_exec('command -v phpunit')) === '') {
	die('skip phpunit is not installed');
}
?>
--FILE--
<?php
$bootstrap = tempnam(sys_get_temp_dir(), 'rlk');
file_put_contents($bootstrap, '<?php extension_loaded("redislock") && exit("the extension is loaded\n");
	require ' . var_export(dirname(__DIR__) . '/inc/adapters.inc', true) . '; load_adapters();
	require ' . var_export(dirname(__DIR__, 2) . '/examples/testing/NightlyReport.php', true) . ';');
passthru('phpunit --no-configuration --do-not-cache-result --testdox --bootstrap ' . escapeshellarg($bootstrap) . ' ' .
	escapeshellarg(dirname(__DIR__, 2) . '/examples/testing/NightlyReportTest.php') . ' 2>&1');
unlink($bootstrap);
?>
--EXPECTF--
PHPUnit %s

Nightly Report (App\NightlyReport)
 ✔ Writes the report and frees the lock%A
 ✔ Leaves the report to another process%A
 ✔ Waits for another process%A
 ✔ Stops when the lock is lost%A
 ✔ May take longer than the ttl%A

%AOK (5 tests, 12 assertions)
