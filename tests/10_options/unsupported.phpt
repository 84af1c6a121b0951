--TEST--
What this version cannot do yet is refused, and not passed over
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'replication' => ['options' => ['replication' => 'predis']],
	'cluster in options' => ['options' => ['cluster' => ['tcp://a']]],
	'several hosts' => ['host' => ['a', 'b']],
	'nothing of it asked for' => ['replication' => false,
		'options' => ['cluster' => 'redis', 'replication' => null]],
]);
?>
--EXPECT--
replication: ValueError: option "replication" asks for replication without sentinels, which is not supported by this version
cluster in options: ValueError: option "options.cluster" must be given beside "options", not in it
several hosts: ValueError: option "host" asks for several servers, which is not supported by this version
nothing of it asked for: accepted as [60]
