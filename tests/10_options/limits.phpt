--TEST--
Options at the edge of their range, and numbers as strings, are taken
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'ttl' => ['ttl' => 0.001],
	'ttl 10 years' => ['ttl' => 315360000],
	'ttl string' => ['ttl' => '1.5e1'],
	'ttl 0' => ['ttl' => 0, 'wait' => 0],
	'wait' => ['wait' => INF],
	'wait word' => ['wait' => 'INF'],
	'interval' => ['renew' => true, 'ttl' => 5, 'interval' => 4.999],
	'interval of a lease' => ['ttl' => 5, 'interval' => 10],
	'hold_at_least above ttl' => ['ttl' => 1, 'hold_at_least' => 10],
	'port' => ['port' => '65535'],
	'port beside a socket' => ['port' => 0, 'path' => '/nowhere'],
	'timeouts' => ['timeout' => 0, 'read_write_timeout' => -1],
	'database' => ['database' => ''],
	'nulls' => ['ttl' => null, 'password' => null, 'unix_socket' => null],
	'empty password' => ['password' => ''],
	'name' => ['name' => str_repeat('n', 20)],
	'label' => ['label' => str_repeat('l', 64)],
	'token' => ['token' => str_repeat('t', 1024)],
]);
?>
--EXPECT--
ttl: accepted as [0.001]
ttl 10 years: accepted as [315360000]
ttl string: accepted as [15]
ttl 0: accepted as [0]
wait: accepted as [60]
wait word: accepted as [60]
interval: accepted as [5]
interval of a lease: accepted as [5]
hold_at_least above ttl: accepted as [1]
port: accepted as [60]
port beside a socket: accepted as [60]
timeouts: accepted as [60]
database: accepted as [60]
nulls: accepted as [60]
empty password: accepted as [60]
name: accepted as nnnnnnnnnnnnnnnnnnnn[60]
label: accepted as [60]
token: accepted as [60]
