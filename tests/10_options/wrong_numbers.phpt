--TEST--
Options out of range are refused by name
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$rows = [];
foreach (['ttl' => [-1, -0.001, NAN, INF, -INF, 0.0005, 315360000.5, '1e10', PHP_INT_MAX],
	'wait' => [-1, NAN, -INF, 315360001, 0.0001],
	'retry_ms' => [0, -5, 0.5, NAN, INF],
	'interval' => [0, -1, NAN, INF],
	'max_hold' => [0, -1, NAN],
	'hold_at_least' => [-1, NAN, INF],
	'linger' => [-1, INF],
	'port' => [0, -1, 70000, 65536, 1.5, '6379x', ' 6379', ''],
	'database' => [-1, 1.5, 2147483648],
	'timeout' => [-2, NAN, INF, 3601, 0.0001],
	'read_write_timeout' => [-0.5, INF, '99999'],
	'retries' => [-1, 101, 1.5]] as $key => $values) {
	foreach ($values as $value) {
		$rows[$key . ' ' . var_export($value, true)] = [$key => $value];
	}
}
each_configuration($rows);
each_configuration([
	'interval = ttl' => ['renew' => true, 'ttl' => 5, 'interval' => 5],
	'interval > default ttl' => ['renew' => true, 'interval' => 31],
	'ttl 0, fence' => ['ttl' => 0, 'fence' => true],
	'ttl 0, hold_at_least' => ['ttl' => 0, 'hold_at_least' => 1],
	'ttl 0, renew' => ['ttl' => 0, 'renew' => true],
	'ttl 1 ms, renew' => ['ttl' => 0.001, 'renew' => true],
]);
?>
--EXPECT--
ttl -1: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
ttl -0.001: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -0.001 given
ttl NAN: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
ttl INF: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, INF given
ttl -INF: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -INF given
ttl 0.0005: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 0.0005 given
ttl 315360000.5: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 315360000.5 given
ttl '1e10': ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 10000000000 given
ttl 9223372036854775807: ValueError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, 9.22337203685478e+18 given
wait -1: ValueError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -1 given
wait NAN: ValueError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, NAN given
wait -INF: ValueError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, -INF given
wait 315360001: ValueError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, 315360001 given
wait 0.0001: ValueError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, 0.0001 given
retry_ms 0: ValueError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, 0 given
retry_ms -5: ValueError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, -5 given
retry_ms 0.5: ValueError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, 0.5 given
retry_ms NAN: ValueError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, NAN given
retry_ms INF: ValueError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, INF given
interval 0: ValueError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, 0 given
interval -1: ValueError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, -1 given
interval NAN: ValueError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, NAN given
interval INF: ValueError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, INF given
max_hold 0: ValueError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, 0 given
max_hold -1: ValueError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, -1 given
max_hold NAN: ValueError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, NAN given
hold_at_least -1: ValueError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
hold_at_least NAN: ValueError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, NAN given
hold_at_least INF: ValueError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, INF given
linger -1: ValueError: option "linger" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
linger INF: ValueError: option "linger" must be 0, or a number of seconds of at least 0.001 and at most 315360000, INF given
port 0: ValueError: option "port" must be a whole number from 1 to 65535, 0 given
port -1: ValueError: option "port" must be a whole number from 1 to 65535, -1 given
port 70000: ValueError: option "port" must be a whole number from 1 to 65535, 70000 given
port 65536: ValueError: option "port" must be a whole number from 1 to 65535, 65536 given
port 1.5: ValueError: option "port" must be a whole number from 1 to 65535, 1.5 given
port '6379x': TypeError: option "port" must be a whole number from 1 to 65535, string given
port ' 6379': TypeError: option "port" must be a whole number from 1 to 65535, string given
port '': TypeError: option "port" must be a whole number from 1 to 65535, string given
database -1: ValueError: option "database" must be a whole number from 0 to 2147483647, -1 given
database 1.5: ValueError: option "database" must be a whole number from 0 to 2147483647, 1.5 given
database 2147483648: ValueError: option "database" must be a whole number from 0 to 2147483647, 2147483648 given
timeout -2: ValueError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, -2 given
timeout NAN: ValueError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, NAN given
timeout INF: ValueError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, INF given
timeout 3601: ValueError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, 3601 given
timeout 0.0001: ValueError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, 0.0001 given
read_write_timeout -0.5: ValueError: option "read_write_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, -0.5 given
read_write_timeout INF: ValueError: option "read_write_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, INF given
read_write_timeout '99999': ValueError: option "read_write_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, 99999 given
retries -1: ValueError: option "retries" must be a whole number from 0 to 100, -1 given
retries 101: ValueError: option "retries" must be a whole number from 0 to 100, 101 given
retries 1.5: ValueError: option "retries" must be a whole number from 0 to 100, 1.5 given
interval = ttl: ValueError: option "interval" must be less than the ttl of 5 seconds, 5 given
interval > default ttl: ValueError: option "interval" must be less than the ttl of 30 seconds, 31 given
ttl 0, fence: ValueError: option "ttl" must not be 0 with "fence"
ttl 0, hold_at_least: ValueError: option "ttl" must not be 0 with "hold_at_least"
ttl 0, renew: ValueError: option "ttl" must be at least 0.002 seconds with "renew"
ttl 1 ms, renew: ValueError: option "ttl" must be at least 0.002 seconds with "renew"
