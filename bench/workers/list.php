<?php
/*
 * list: runs "redislock list" with the arguments it gets, behind Composer's autoloader; says on standard error what that took:
 * seconds of processor, and the most memory in MB.
 */
declare(strict_types=1);

[, $autoload] = $argv;
$GLOBALS['_composer_autoload_path'] = $autoload;
$_SERVER['argv'] = ['redislock', 'list', ...array_slice($argv, 2)];
register_shutdown_function(static function (): void {
	$used = getrusage();
	fprintf(STDERR, "%.3f %.1f\n", $used['ru_utime.tv_sec'] + $used['ru_stime.tv_sec'] + ($used['ru_utime.tv_usec'] + $used['ru_stime.tv_usec']) / 1e6,
		$used['ru_maxrss'] / 1024);
});
require dirname(__DIR__, 2) . '/packages/console/bin/redislock';
