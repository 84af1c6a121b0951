--TEST--
examples/encrypted.php: a lock over TLS, with the certificate the server wants
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
$ca = new Authority;
$mine = $ca->lock($ca->issue(['DNS:client']), 's3cret');
$tls = $ca->server($ca->issue(), '--tls-auth-clients', 'yes');
$run = function (array $environment) {
	foreach ($environment as $name => $value) {
		putenv("$name=$value");
	}
	$process = new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/encrypted.php', true) . ';');
	echo preg_replace('/ \(tls:.*|(?<=not accepted): .*/', '', $process->rest()), json_encode($process->end()), "\n";
};
$run(['REDIS_HOST' => '127.0.0.1', 'REDIS_PORT' => $tls->port, 'REDIS_CA' => $ca->cafile, 'REDIS_CERT' => $mine->cert,
	'REDIS_KEY' => $mine->key, 'REDIS_KEY_PASSPHRASE' => 's3cret']);
$run(['REDIS_CA' => (new Authority)->cafile]);
$run(['REDIS_PORT' => Server::freePort()]);
?>
--EXPECT--
alone
{"exit":0}
lock "encrypted": cannot connect with TLS: the server's certificate is not accepted
It will not pass by itself.
{"exit":78}
lock "encrypted": cannot connect: Connection refused
It may pass.
{"exit":75}
