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
ttl: accepted as default[0.001]
ttl 10 years: accepted as default[315360000]
ttl string: accepted as default[15]
ttl 0: accepted as default[0]
wait: accepted as default[60]
wait word: accepted as default[60]
interval: accepted as default[5]
interval of a lease: accepted as default[5]
hold_at_least above ttl: accepted as default[1]
port: accepted as default[60]
port beside a socket: accepted as default[60]
timeouts: accepted as default[60]
database: accepted as default[60]
nulls: accepted as default[60]
empty password: accepted as default[60]
name: accepted as nnnnnnnnnnnnnnnnnnnn[60]
label: accepted as default[60]
token: accepted as default[60]
