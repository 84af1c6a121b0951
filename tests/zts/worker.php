<?php
/*
 * A worker of FrankenPHP, one for each thread of threads.c; ARGUMENT is the number of requests and the server's socket. Every
 * request leaves locks in a static variable: one of a new object, one of an object that all requests have, and one
 * that all threads want. At the end it says how many requests found something wrong, and how long locks lived after theirs.
 */
require __DIR__ . '/../inc/redislock.inc';

class Kept
{
	static array $locks = [];
}

[$requests, $socket] = explode(':', ARGUMENT, 2);
ini_set('frankenphp.requests', $requests);
$redis = new Client("unix://$socket");
$lock = fn (string $name, float $wait = 0) =>
	new RedisLock(['unix_socket' => $socket, 'name' => $name, 'ttl' => 30, 'renew' => true, 'wait' => $wait]);
$own = $lock('worker-' . THREAD);
$_ = $own->acquire();
$token = $own->getToken();
$wrong = [];
$request = 0;
$late = [];

while (frankenphp_handle_request(function () use ($lock, $own, &$wrong, &$request, &$tokens, &$end) {
	Kept::$locks['new'] = $lock('new-' . THREAD);
	Kept::$locks['same'] ??= $lock('same-' . THREAD);
	Kept::$locks['all'] ??= $lock('all', 30);
	foreach (Kept::$locks as $name => $kept) {
		if (!$kept->acquire()) {
			$wrong[] = "request $request: $name not acquired";
		}
	}
	usleep(mt_rand(0, 500));
	foreach ([...Kept::$locks, 'own' => $own] as $name => $kept) {
		if (!$kept->isHeld() || !$kept->isAcquired()) {
			$wrong[] = "request $request: $name is not held";
		}
	}
	$tokens = array_map(fn ($kept) => $kept->getToken(), Kept::$locks);
	$end = now();
})) {
	foreach (['new' => 'new-' . THREAD, 'same' => 'same-' . THREAD, 'all' => 'all'] as $name => $key) {
		if ($redis('GET', $key) === $tokens[$name]) {
			$wrong[] = "request $request: $name is still held";
		}
	}
	$late[] = now() - $end;
	$request++;
}
if (!$own->isAcquired() || $own->getToken() !== $token || $redis('GET', 'worker-' . THREAD) !== $token) {
	$wrong[] = 'the lock of the worker is gone';
}
sort($late);
echo THREAD, ' ', json_encode(['requests' => $request, 'wrong' => array_slice($wrong, 0, 5),
	'median' => $late[$request >> 1], 'worst' => end($late), 'over' => count(array_filter($late, fn ($s) => $s > 0.05))]), "\n";
