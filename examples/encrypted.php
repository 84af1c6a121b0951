<?php
/*
 * A lock on a server with TLS that wants a certificate from its clients. Environment:
 *
 *     REDIS_HOST, REDIS_PORT    its name, as in its certificate, and the port with TLS
 *     REDIS_CA                  the authority of its certificate; without it those of the system
 *     REDIS_CERT, REDIS_KEY     our own certificate and its key, if the server wants one
 *     REDIS_KEY_PASSPHRASE      the passphrase of that key, if it has one
 *
 * A variable that is not set is null here, and null means: not given.
 */

$env = fn (string $name) => getenv($name) ?: null;

$lock = new RedisLock([
	'scheme' => 'tls',
	'host' => $env('REDIS_HOST'),
	'port' => $env('REDIS_PORT'),
	'name' => 'encrypted',
	'ssl' => [
		'cafile' => $env('REDIS_CA'),
		'local_cert' => $env('REDIS_CERT'),
		'local_pk' => $env('REDIS_KEY'),
		'passphrase' => $env('REDIS_KEY_PASSPHRASE'),
	],
]);

try {
	echo $lock->synchronized(fn () => 'alone'), "\n";
} catch (RedisLock\ConnectionException $e) {
	// There is no server, or it is not the right one. Nothing was sent to it except the start of the handshake.
	fwrite(STDERR, "{$e->getMessage()}\n" . ($e->isRetryable() ? "It may pass.\n" : "It will not pass by itself.\n"));
	exit($e->isRetryable() ? 75 : 78);
} catch (RedisLock\NotAcquiredException $e) {
	fwrite(STDERR, "{$e->getMessage()}\n");
	exit(75);
}
