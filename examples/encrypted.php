<?php
/*
 * A lock on a server behind TLS that wants a certificate of its clients. Environment:
 *
 *     REDIS_HOST, REDIS_PORT    its name, as its certificate has it, and the port with TLS
 *     REDIS_CA                  the authority that its certificate comes from; without it the system's authorities count
 *     REDIS_CERT, REDIS_KEY     our own certificate and its key, if the server wants one
 *     REDIS_KEY_PASSPHRASE      of that key, if it has one
 *
 * What is not set is null here, and null is absent.
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
	// No server, or one that is not who it should be. Nothing was sent to it but the greeting.
	fwrite(STDERR, "{$e->getMessage()}\n" . ($e->isRetryable() ? "It may pass.\n" : "It will not pass by itself.\n"));
	exit($e->isRetryable() ? 75 : 78);
} catch (RedisLock\NotAcquiredException $e) {
	fwrite(STDERR, "{$e->getMessage()}\n");
	exit(75);
}
