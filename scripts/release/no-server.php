<?php
/*
 * no-server.php: a trial for a machine without a server, as those that build the DLLs are: a lock is asked for, the
 * connection is refused, and the exception says so. Exits 1 otherwise.
 */

declare(strict_types=1);

try {
	$_ = (new RedisLock(['host' => '127.0.0.1', 'port' => 1, 'name' => 'no-server', 'ttl' => 5]))->acquire();
	echo "a lock was acquired without a server\n";
	exit(1);
} catch (RedisLock\ConnectionException $e) {
	echo get_class($e), ": {$e->getMessage()}\n";
}
