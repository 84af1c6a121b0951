--TEST--
What this version cannot do yet is refused, and not passed over
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'several hosts' => ['host' => ['a', 'b']],
	'servers of servers' => ['servers' => [['host' => 'a', 'servers' => ['b', 'c']]]],
	'one server of several by sentinels' => ['servers' => ['a', ['host' => 'b', 'sentinels' => ['c'], 'service' => 'm'], 'd']],
	'a Cluster behind a sentinel' => ['sentinels' => [['host' => 'a', 'cluster' => true]], 'service' => 'm'],
	'sentinels of a node' => ['cluster' => [['host' => 'a', 'cluster' => false, 'sentinels' => ['b']]]],
	'a node said to be none' => ['cluster' => [['host' => 'a', 'cluster' => false]]],
]);
?>
--EXPECT--
several hosts: TypeError: option "host" must be a string, array given
servers of servers: ValueError: option "servers" cannot be given for one server of a list
one server of several by sentinels: ValueError: option "sentinels" cannot be given for one server of a list
a Cluster behind a sentinel: ValueError: option "cluster" cannot be given for one server of a list
sentinels of a node: ValueError: option "sentinels" cannot be given for one server of a list
a node said to be none: accepted as [60]
