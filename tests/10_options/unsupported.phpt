--TEST--
What this version cannot do yet is refused, and not passed over
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'replication' => ['options' => ['replication' => 'predis']],
	'sentinels with TLS' => ['sentinels' => ['tcp://a'], 'service' => 'm', 'scheme' => 'tls'],
	'TLS sentinels' => ['sentinels' => ['tls://a'], 'service' => 'm'],
	'Cluster with TLS' => ['cluster' => ['a:1'], 'ssl' => ['cafile' => '/a']],
	'cluster in options' => ['options' => ['cluster' => ['tcp://a']]],
	'several hosts' => ['host' => ['a', 'b']],
	'nothing of it asked for' => ['replication' => false,
		'options' => ['cluster' => 'redis', 'replication' => null]],
]);
?>
--EXPECT--
replication: ValueError: option "replication" asks for replication without sentinels, which is not supported by this version
sentinels with TLS: ValueError: TLS with sentinels or a Cluster is not supported by this version
TLS sentinels: ValueError: TLS with sentinels or a Cluster is not supported by this version
Cluster with TLS: ValueError: TLS with sentinels or a Cluster is not supported by this version
cluster in options: ValueError: option "options.cluster" must stand beside "options", not in it
several hosts: ValueError: option "host" asks for several servers, which is not supported by this version
nothing of it asked for: accepted as default[60]
