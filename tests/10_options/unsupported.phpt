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
	'servers of servers' => ['servers' => [['host' => 'a', 'servers' => ['b', 'c']]]],
	'one server of several by sentinels' => ['servers' => ['a', ['host' => 'b', 'sentinels' => ['c'], 'service' => 'm'], 'd']],
	'a Cluster behind a sentinel' => ['sentinels' => [['host' => 'a', 'cluster' => true]], 'service' => 'm'],
	'sentinels of a node' => ['cluster' => [['host' => 'a', 'cluster' => false, 'sentinels' => ['b']]]],
	'a node said to be none' => ['cluster' => [['host' => 'a', 'cluster' => false]]],
	'nothing of it asked for' => ['replication' => false,
		'options' => ['cluster' => 'redis', 'replication' => null]],
]);
?>
--EXPECT--
replication: ValueError: option "replication" asks for replication without sentinels, which is not supported by this version
cluster in options: ValueError: option "options.cluster" must be given beside "options", not in it
several hosts: ValueError: option "host" asks for several servers, which is not supported by this version
servers of servers: ValueError: option "servers" cannot be given for one server of a list
one server of several by sentinels: ValueError: option "sentinels" cannot be given for one server of a list
a Cluster behind a sentinel: ValueError: option "cluster" cannot be given for one server of a list
sentinels of a node: ValueError: option "sentinels" cannot be given for one server of a list
a node said to be none: accepted as [60]
nothing of it asked for: accepted as [60]
