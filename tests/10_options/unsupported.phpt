--TEST--
What this version cannot do yet is refused, and not passed over
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'sentinels' => ['sentinels' => ['tcp://a']],
	'sentinel_timeout' => ['sentinel_timeout' => 1],
	'service' => ['service' => 'mymaster'],
	'replication' => ['options' => ['replication' => 'sentinel']],
	'cluster' => ['cluster' => ['tcp://a', 'tcp://b']],
	'cluster in options' => ['options' => ['cluster' => ['tcp://a']]],
	'servers' => ['servers' => ['tcp://a', 'tcp://b', 'tcp://c']],
	'list of servers' => [['host' => 'a'], ['host' => 'b']],
	'several hosts' => ['host' => ['a', 'b']],
	'nothing of it asked for' => ['replication' => false,
		'options' => ['cluster' => 'redis', 'replication' => null]],
]);
?>
--EXPECT--
sentinels: ValueError: option "sentinels" asks for Redis Sentinel, which is not supported by this version
sentinel_timeout: ValueError: option "sentinel_timeout" asks for Redis Sentinel, which is not supported by this version
service: ValueError: option "service" asks for Redis Sentinel, which is not supported by this version
replication: ValueError: option "options.replication" asks for replication, which is not supported by this version
cluster: ValueError: option "cluster" asks for Redis Cluster, which is not supported by this version
cluster in options: ValueError: option "options.cluster" asks for Redis Cluster, which is not supported by this version
servers: ValueError: option "servers" asks for a quorum of several servers, which is not supported by this version
list of servers: ValueError: a list of servers is not supported by this version; give the options of one server, with their names as keys
several hosts: ValueError: option "host" asks for several servers, which is not supported by this version
nothing of it asked for: accepted as default[60]
