--TEST--
The Composer package writes numbers alike in every locale
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters();
require __DIR__ . '/../inc/comma.inc'; skip_unless_comma(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/comma.inc';
load_adapters();
write_commas();
step('a time', RedisLock\Console\Text::time(1.5), RedisLock\Console\Text::time(42));
$text = RedisLock\Observe\Prometheus::format(['s' => array_fill_keys(['acquired', 'refused', 'lost', 'released', 'released_late', 'renewed',
	'renewal_failures', 'reconnects', 'stale'], 1) + ['waited' => ['count' => 5, 'seconds' => 2.5, 'histogram' => ['0.1' => 2, 'INF' => 0]]]], []);
echo implode("\n", preg_grep('/^redislock_wait_seconds_(sum|bucket)/', explode("\n", $text))), "\n";

/* %e, %f and %g of sprintf() follow the locale; %F and %h do not. */
foreach (new RecursiveIteratorIterator(new RecursiveDirectoryIterator(__DIR__ . '/../../packages', FilesystemIterator::SKIP_DOTS)) as $file) {
	foreach (preg_grep('/%[-+0-9.*\'$]*[eEfgG]/', file((string) $file)) as $number => $line) {
		printf("%s:%d: %s\n", $file->getFilename(), $number + 1, trim($line));
	}
}
?>
--EXPECT--
a time: '1.5s', '42s'
redislock_wait_seconds_bucket{server="s",le="0.1"} 2
redislock_wait_seconds_bucket{server="s",le="+Inf"} 2
redislock_wait_seconds_sum{server="s"} 2.5
