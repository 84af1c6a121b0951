<?php
/* Runs short tasks. The last one of each batch says so and waits, so that it is always looked at in the same state. */

[, $socket, $tasks, $batch] = $argv;
$config = ['unix_socket' => $socket, 'name' => 'soak-task', 'client_name' => 'soak', 'ttl' => 30];
$done = 0;
for ($i = 1; $i <= $tasks; $i++) {
	$done += SequenceTask::execute($config, function () use ($i, $batch, $tasks) {
		if ($i % $batch === 0 || $i == $tasks) {
			echo "look $i\n";
			fgets(STDIN);
		}
		return 1;
	});
}
echo "done $done\n";
fgets(STDIN);
