--TEST--
TLS with sentinels or a Cluster: asked for anywhere, it is for all; whatever says otherwise is refused
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$ca = ['cafile' => '/a'];
each_configuration([
	'beside the sentinels' => ['sentinels' => ['a', 'b:1'], 'service' => 'm', 'scheme' => 'tls'],
	'one sentinel' => ['sentinels' => ['a', 'tls://b'], 'service' => 'm'],
	'sentinels of their own' => ['sentinels' => [['host' => 'a', 'ssl' => $ca], 'b'], 'service' => 'm', 'ssl' => ['cafile' => '/b']],
	'host as the sentinel' => ['host' => 'tls://a', 'port' => 1, 'service' => 'm'],
	'beside the nodes' => ['cluster' => ['a:1', ['host' => 'b']], 'ssl' => $ca],
	'one node' => ['cluster' => ['rediss://a:1', 'b:1'], 'ssl' => $ca],
	'sentinel in clear' => ['sentinels' => ['a', 'tcp://b:1'], 'service' => 'm', 'ssl' => $ca],
	'one sentinel in clear' => ['sentinels' => ['tls://a', ['host' => 'b', 'scheme' => 'tcp']], 'service' => 'm'],
	'servers in clear' => ['sentinels' => ['tls://a'], 'service' => 'm', 'scheme' => 'tcp'],
	'node in clear' => ['cluster' => ['redis://a:1'], 'useSSL' => true],
	'node on a socket' => ['cluster' => ['unix:/a'], 'scheme' => 'tls'],
	'options of one node' => ['cluster' => ['a', ['host' => 'b', 'ssl' => $ca]]],
]);
?>
--EXPECT--
beside the sentinels: accepted as [60]
one sentinel: accepted as [60]
sentinels of their own: accepted as [60]
host as the sentinel: accepted as [60]
beside the nodes: accepted as [60]
one node: accepted as [60]
sentinel in clear: ValueError: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
one sentinel in clear: ValueError: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
servers in clear: ValueError: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
node in clear: ValueError: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
node on a socket: ValueError: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
options of one node: ValueError: option "ssl.cafile" must be given beside the list of Cluster nodes, not in it
