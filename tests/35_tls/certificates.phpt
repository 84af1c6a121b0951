--TEST--
TLS: which certificates of a server are accepted
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$other = new Authority;
$self = $ca->selfSigned();
$servers = [
	'good' => $ca->server($ca->issue()),
	'expired' => $ca->server($ca->issue(from: -7200, until: -3600)),
	'not yet valid' => $ca->server($ca->issue(from: 3600)),
	'for another host' => $ca->server($ca->issue(['DNS:redis.example', 'DNS:*.shop.example', 'IP:10.9.8.7'])),
	'for the name, not the address' => $ca->server($ca->issue(['DNS:localhost'])),
	'of an unknown authority' => $ca->server($other->issue()),
	'self-signed' => $ca->server($self),
];
$try = function (TlsServer $server, array $more = [], array $ssl = []): string {
	$said = outcome(function () use ($server, $more, $ssl) {
		$lock = new RedisLock($server->options($more + ['name' => 'certificates', 'timeout' => 30, 'read_timeout' => 30], $ssl));
		return $lock->acquire() && $lock->release();
	});
	/* As older libraries write, and as newer ones do. */
	$said = str_replace(['self signed', ' or the system clock is incorrect'], ['self-signed', ''], $said);
	return preg_replace('~^RedisLock.ConnectionException: lock "certificates": cannot connect with TLS: | \(tls:\S+\)$~', '', $said);
};
foreach ($servers as $name => $server) {
	echo "$name: ", $try($server), "\n";
}
echo "\n";
foreach ([
	'for another host, not looked at' => ['for another host', [], ['verify_peer_name' => false]],
	'for another host, verify_peer alone' => ['for another host', [], ['verify_peer' => false]],
	'for another host, peer_name' => ['for another host', [], ['peer_name' => 'redis.example']],
	'for another host, a wildcard' => ['for another host', [], ['peer_name' => 'eu.shop.example']],
	'for another host, no such wildcard' => ['for another host', [], ['peer_name' => 'a.eu.shop.example']],
	'for another host, an address' => ['for another host', [], ['peer_name' => '10.9.8.7']],
	'for another host, another peer_name' => ['for another host', [], ['peer_name' => 'redis.example.org']],
	'by its name' => ['for the name, not the address', ['host' => 'localhost'], []],
	'good, but not for us' => ['good', [], ['peer_name' => 'redis.example']],
	'expired, not verified' => ['expired', [], ['verify_peer' => false]],
	'expired, the name not verified' => ['expired', [], ['verify_peer_name' => false]],
	'unknown authority, not verified' => ['of an unknown authority', [], ['verify_peer' => false, 'verify_peer_name' => false]],
	'unknown authority, its cafile' => ['of an unknown authority', [], ['cafile' => $other->cafile]],
	'unknown authority, the system\'s' => ['of an unknown authority', [], ['cafile' => null]],
	'unknown authority, allow_self_signed' => ['of an unknown authority', [], ['allow_self_signed' => true]],
	'self-signed, allowed' => ['self-signed', [], ['allow_self_signed' => true]],
	'self-signed, allowed, for another host' => ['self-signed', [], ['allow_self_signed' => true, 'peer_name' => 'a']],
	'self-signed, as its own authority' => ['self-signed', [], ['cafile' => $self->cert]],
	'a folder of authorities' => ['good', [], ['cafile' => null, 'capath' => $ca->dir]],
	'a folder without' => ['good', [], ['cafile' => null, 'capath' => $other->dir]],
] as $name => [$server, $more, $ssl]) {
	if ($name === 'a folder of authorities') {
		exec('openssl x509 -noout -hash -in ' . escapeshellarg($ca->cafile), $hash);
		copy($ca->cafile, "$ca->dir/$hash[0].0");
	}
	echo "$name: ", $try($servers[$server], $more, $ssl), "\n";
}
?>
--EXPECTF--
good: true
expired: the server's certificate is not accepted: certificate has expired
not yet valid: the server's certificate is not accepted: certificate is not yet valid
for another host: the server's certificate is not for "127.0.0.1"
for the name, not the address: the server's certificate is not for "127.0.0.1"
of an unknown authority: the server's certificate is not accepted: unable to get local issuer certificate
self-signed: the server's certificate is not accepted: self-signed certificate

for another host, not looked at: true
for another host, verify_peer alone: the server's certificate is not for "127.0.0.1"
for another host, peer_name: true
for another host, a wildcard: true
for another host, no such wildcard: the server's certificate is not for "a.eu.shop.example"
for another host, an address: true
for another host, another peer_name: the server's certificate is not for "redis.example.org"
by its name: true
good, but not for us: the server's certificate is not for "redis.example"
expired, not verified: true
expired, the name not verified: the server's certificate is not accepted: certificate has expired
unknown authority, not verified: true
unknown authority, its cafile: true
unknown authority, the system's: the server's certificate is not accepted: unable to get local issuer certificate
unknown authority, allow_self_signed: the server's certificate is not accepted: unable to get local issuer certificate
self-signed, allowed: true
self-signed, allowed, for another host: the server's certificate is not for "a"
self-signed, as its own authority: true
a folder of authorities: true
a folder without: the server's certificate is not accepted: %s
