<?php
/*
 * A web request that must not run twice at the same time for the same order, however often the customer clicks.
 *
 * Uses a lease: the lock lives until release() or until its ttl ends, whatever becomes of the process. That suits
 * work of known length, and costs no second process. On the command line: php web_request.php ORDER [SECONDS]
 */

function respond(int $status, string $text): never
{
	http_response_code($status);
	echo "$status $text\n";
	exit($status < 400 ? 0 : 1);
}

$order = $_POST['order'] ?? $argv[1] ?? 'A-1';
if (!is_string($order)) {
	respond(400, 'which order?');
}
$seconds = (float) ($argv[2] ?? 0.1);

$lock = new RedisLock([
	'url' => getenv('REDIS_URL') ?: null,
	'name' => "payment:$order",
	'ttl' => 15, // longer than the request may take, since a lease is not renewed
	'connect_timeout' => 0.5,
	'read_timeout' => 0.5,
]);

try {
	if (!$lock->acquire()) {
		respond(409, "order $order is being paid already");
	}
} catch (RedisLock\ConnectionException $e) {
	// Not knowing is not holding: without the lock this request must not go on.
	error_log($e->getMessage());
	respond(503, 'please try again');
}

try {
	usleep((int) ($seconds * 1e6)); // the payment
} finally {
	// After an exception too. If the process dies before it gets here, the ttl frees the lock.
	try {
		if (!$lock->release()) {
			error_log("payment:$order took longer than its lock lived; somebody else may have paid it too");
		}
	} catch (RedisLock\ConnectionException $e) {
		// The work is done and was covered; the key goes by its ttl at the latest.
		error_log($e->getMessage());
	}
}
respond(200, "order $order is paid");
