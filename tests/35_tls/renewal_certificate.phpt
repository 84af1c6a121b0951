--TEST--
TLS: the renewal child goes on with a renewed client certificate, also in mid-hold
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
/* slow: it waits until a certificate has expired */
require __DIR__ . '/../inc/tls.inc';
$ca = new Authority;
/* A session resumed would not be asked for a certificate. */
$tls = $ca->server($ca->issue(), '--tls-auth-clients', 'yes', '--tls-session-caching', 'no');
$redis = $tls->server->client();
$place = ['local_cert' => "$ca->dir/place.crt", 'local_pk' => "$ca->dir/place.key"];
$put = function (Certificate $certificate) use ($place) {
	foreach (['cert' => 'local_cert', 'key' => 'local_pk'] as $part => $option) {
		copy($certificate->$part, "$place[$option].new");
		rename("$place[$option].new", $place[$option]);
	}
};
$put($ca->issue(['DNS:client'], -3600, 6));
$expires = now() + 6;
$lock = new RedisLock($tls->options(['name' => 'certificate', 'renew' => true, 'ttl' => 10, 'client_name' => 'me'], $place));
var_dump($lock->acquire());
$child = await_renewal_child(getmypid());
wait_until(fn () => substr_count($redis('CLIENT', 'LIST'), ' name=me ') === 2);
pause($expires + 1 - now(), 'the certificate expires');
/* The connections go, and with them what was proved when they were made. */
$put($ca->issue(['DNS:client']));
$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
var_dump(stays_true(fn () => $lock->isHeld(), 11), $redis('GET', 'certificate') === $lock->getToken(), is_running($child), $lock->release());
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
