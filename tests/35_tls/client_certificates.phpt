--TEST--
TLS: our own certificate, for servers that want one
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$other = new Authority;
$tls = $ca->server($ca->issue(), '--tls-auth-clients', 'yes');
$mine = $ca->issue(['DNS:client']);
$locked = $ca->lock($mine, 's3cret');
$foreign = $other->issue(['DNS:client']);
$expired = $ca->issue(['DNS:client'], -7200, -3600);
$both = "$ca->dir/both.pem";
file_put_contents($both, file_get_contents($mine->cert) . file_get_contents($mine->key));
foreach ([
	'right' => ['local_cert' => $mine->cert, 'local_pk' => $mine->key],
	'both in one file' => ['local_cert' => $both],
	'passphrase' => ['local_cert' => $locked->cert, 'local_pk' => $locked->key, 'passphrase' => 's3cret'],
	'passphrase nobody asks for' => ['local_cert' => $both, 'passphrase' => 's3cret'],
	'wrong passphrase' => ['local_cert' => $locked->cert, 'local_pk' => $locked->key, 'passphrase' => 's3cret-wrong'],
	'no passphrase' => ['local_cert' => $locked->cert, 'local_pk' => $locked->key],
	'none' => [],
	'of another authority' => ['local_cert' => $foreign->cert, 'local_pk' => $foreign->key],
	'expired' => ['local_cert' => $expired->cert, 'local_pk' => $expired->key],
	'the key of another' => ['local_cert' => $mine->cert, 'local_pk' => $expired->key],
	'a key alone' => ['local_pk' => $mine->key],
	'no key' => ['local_cert' => $mine->cert],
	'a file that is not there' => ['local_cert' => "$ca->dir/no.crt", 'local_pk' => $mine->key],
	'a key that is not there' => ['local_cert' => $mine->cert, 'local_pk' => "$ca->dir/no.key"],
	'no certificate in it' => ['local_cert' => "$ca->dir/config"],
	'a cafile that is not there' => ['cafile' => "$ca->dir/no.crt"],
	'a cafile without certificates' => ['cafile' => "$ca->dir/config"],
	'a folder that is not there' => ['cafile' => null, 'capath' => "$ca->dir/no"],
] as $name => $ssl) {
	$said = outcome(function () use ($tls, $ssl) {
		$lock = new RedisLock($tls->options(['name' => 'client'], $ssl));
		return $lock->acquire() && $lock->release();
	});
	/* The server's word on it may be lost when it hangs up with our request unread. */
	echo "$name: ", preg_replace('~broke: TLS: (the server hung up after the handshake, .*|.* alert .*)~', 'broke: TLS: hung up', preg_replace(['~^RedisLock.ConnectionException: lock "client": | \(tls:\S+\)$~', '~/\S+/([^/]+):~'], ['', '$1:'], $said)), "\n";
}
/* A certificate that is renewed in its place counts from the next connection on. */
$place = ['local_cert' => "$ca->dir/place.crt", 'local_pk' => "$ca->dir/place.key"];
$put = function (Certificate $certificate) use ($place) {
	copy($certificate->cert, $place['local_cert']);
	copy($certificate->key, $place['local_pk']);
};
foreach ([$expired, $mine, $expired] as $certificate) {
	$put($certificate);
	echo preg_replace('/: .*/', '', outcome(fn () => (new RedisLock($tls->options(['name' => bin2hex(random_bytes(4))], $place)))->acquire())), "\n";
}
?>
--EXPECTF--
right: true
both in one file: true
passphrase: true
passphrase nobody asks for: true
wrong passphrase: cannot connect with TLS: option "ssl.local_pk": 3.key: the passphrase is not that of the key
no passphrase: cannot connect with TLS: option "ssl.local_pk": 3.key: the key needs a passphrase, and there is no "ssl.passphrase"
none: the connection broke: TLS: hung up
of another authority: the connection broke: TLS: hung up
expired: the connection broke: TLS: hung up
the key of another: cannot connect with TLS: option "ssl.local_pk": 4.key: no key of the certificate in it (%s)
a key alone: cannot connect with TLS: option "ssl.local_pk": 2.key: there is no "ssl.local_cert" that it belongs to
no key: cannot connect with TLS: option "ssl.local_cert": 2.crt: no key of the certificate in it (%s)
a file that is not there: cannot connect with TLS: option "ssl.local_cert": no.crt: No such file or directory
a key that is not there: cannot connect with TLS: option "ssl.local_pk": no.key: No such file or directory
no certificate in it: cannot connect with TLS: option "ssl.local_cert": config: no certificate in it (%s)
a cafile that is not there: cannot connect with TLS: option "ssl.cafile": no.crt: No such file or directory
a cafile without certificates: cannot connect with TLS: option "ssl.cafile": config: no certificate in it (%s)
a folder that is not there: cannot connect with TLS: option "ssl.capath": no: No such file or directory
RedisLock\ConnectionException
true
RedisLock\ConnectionException
