<?php
/*
 * A web request that must not run twice at the same time for one order, even if the customer clicks twice.
 *
 * It uses a lease: the lock lives until release() or until its ttl ends, whatever happens to the process. That is good for
 * work of known length, and needs no second process. On the command line: php web_request.php ORDER [SECONDS]
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
	'ttl' => 15, // longer than the request may take, because a lease is not renewed
	'connect_timeout' => 0.5,
	'read_timeout' => 0.5,
]);

try {
	if (!$lock->acquire()) {
		respond(409, "order $order is being paid already");
	}
} catch (RedisLock\ConnectionException $e) {
	// It is not known whether we have the lock. Without the lock this request must not go on.
	error_log($e->getMessage());
	respond(503, 'please try again');
}

try {
	usleep((int) ($seconds * 1e6)); // the payment
} finally {
	// This also runs after an exception. If the process dies before, the lock ends with its ttl.
	try {
		if (!$lock->release()) {
			error_log("payment:$order took longer than its lock lived; somebody else may have paid it too");
		}
	} catch (RedisLock\ConnectionException $e) {
		// The work was done under the lock. The key ends with its ttl at the latest.
		error_log($e->getMessage());
	}
}
respond(200, "order $order is paid");
