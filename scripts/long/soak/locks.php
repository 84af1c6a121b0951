<?php
/* Holds many process-bound locks until told to end. A loss ends it with the exception. */

[, $socket, $count] = $argv;
$locks = new RedisLock(['unix_socket' => $socket, 'client_name' => 'soak', 'renew' => true, 'ttl' => 1, 'interval' => 0.3]);
for ($i = 0; $i < $count; $i++) {
	$locks->lock("soak-$i");
}
echo "look $count\n";
while (fgets(STDIN) === "go\n") {
	echo "look $count\n";
}
for ($i = $released = 0; $i < $count; $i++) {
	$released += (int) $locks->unlock("soak-$i");
}
echo "done $released\n";
fgets(STDIN);
