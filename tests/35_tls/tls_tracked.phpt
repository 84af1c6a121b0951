--TEST--
TLS: the server tells of a loss at once
--SKIPIF--
<?php
require __DIR__ . '/../inc/tls.inc';
skip_unless_tls();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/tracked.inc';

$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
$lock = tracked_lock($redis, $tls->options(['name' => 'tls_tracked']));
echo told_of_loss(fn () => $redis('DEL', 'tls_tracked')), "\n";
?>
--EXPECT--
told
