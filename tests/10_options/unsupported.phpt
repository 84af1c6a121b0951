--TEST--
What this version cannot do yet is refused, and not passed over
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_configuration([
	'scheme tls' => ['scheme' => 'tls', 'host' => 'a'],
	'scheme rediss' => ['scheme' => 'rediss'],
	'tls in host' => ['host' => 'tls://a'],
	'useSSL' => ['useSSL' => true],
	'ssl' => ['ssl' => ['cafile' => '/a']],
	'context' => ['context' => ['ssl' => ['verify_peer' => false]]],
	'contextOptions' => ['contextOptions' => ['ssl' => ['verify_peer' => false]]],
	'sentinels' => ['sentinels' => ['tcp://a']],
	'sentinel_timeout' => ['sentinel_timeout' => 1],
	'service' => ['service' => 'mymaster'],
	'replication' => ['options' => ['replication' => 'sentinel']],
	'cluster' => ['cluster' => ['tcp://a', 'tcp://b']],
	'cluster in options' => ['options' => ['cluster' => ['tcp://a']]],
	'list of servers' => [['host' => 'a'], ['host' => 'b']],
	'several hosts' => ['host' => ['a', 'b']],
	'nothing of it asked for' => ['useSSL' => false, 'ssl' => null, 'context' => [], 'replication' => false,
		'options' => ['cluster' => 'redis', 'replication' => null]],
]);
each_outcome(['rediss://a', 'tls://a', 'valkeys://a'], fn ($uri) => new RedisLock($uri));
?>
--EXPECT--
scheme tls: ValueError: option "scheme" asks for TLS ("tls"), which is not supported by this version
scheme rediss: ValueError: option "scheme" asks for TLS ("rediss"), which is not supported by this version
tls in host: ValueError: option "host" asks for TLS ("tls"), which is not supported by this version
useSSL: ValueError: option "useSSL" asks for TLS, which is not supported by this version
ssl: ValueError: option "ssl" asks for TLS, which is not supported by this version
context: ValueError: option "context" asks for TLS, which is not supported by this version
contextOptions: ValueError: option "contextOptions" asks for TLS, which is not supported by this version
sentinels: ValueError: option "sentinels" asks for Redis Sentinel, which is not supported by this version
sentinel_timeout: ValueError: option "sentinel_timeout" asks for Redis Sentinel, which is not supported by this version
service: ValueError: option "service" asks for Redis Sentinel, which is not supported by this version
replication: ValueError: option "options.replication" asks for replication, which is not supported by this version
cluster: ValueError: option "cluster" asks for Redis Cluster, which is not supported by this version
cluster in options: ValueError: option "options.cluster" asks for Redis Cluster, which is not supported by this version
list of servers: ValueError: a list of servers is not supported by this version; give the options of one server, with their names as keys
several hosts: ValueError: option "host" asks for several servers, which is not supported by this version
nothing of it asked for: accepted as default[60]
0: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the scheme of the URI asks for TLS ("rediss"), which is not supported by this version
1: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the scheme of the URI asks for TLS ("tls"), which is not supported by this version
2: ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: the scheme of the URI asks for TLS ("valkeys"), which is not supported by this version
