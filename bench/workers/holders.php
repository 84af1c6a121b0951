<?php
/*
 * holders: many processes that each hold a process-bound lock, for bench/tables/holders.php.
 *
 *     holders.php SOCKET COUNT TTL INTERVAL
 *
 * Forks them, prints their pids once all hold their locks, and kills them at the next line. They end with this process.
 */
declare(strict_types=1);

[, $socket, $count, $ttl, $interval] = $argv;
[$ours, $theirs] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$pids = [];
for ($i = 0; $i < $count; $i++) {
	$pid = pcntl_fork();
	if ($pid === 0) {
		fclose($ours);
		$lock = new RedisLock(['unix_socket' => $socket, 'name' => "bench:holders:$i", 'renew' => true, 'ttl' => (float) $ttl,
			'interval' => (float) $interval, 'timeout' => 30, 'read_timeout' => 30]);
		fwrite($theirs, $lock->acquire() ? '1' : '0');
		while (!feof($theirs)) {
			@fread($theirs, 1); // the end of the leader
		}
		posix_kill(getmypid(), SIGKILL);
	}
	$pids[] = $pid;
}
fclose($theirs);
for ($held = 0; $held < $count; $held++) {
	if (fread($ours, 1) !== '1') {
		fwrite(STDERR, "a lock was not acquired\n");
		exit(1);
	}
}
echo json_encode($pids), "\n";
fgets(STDIN);
foreach ($pids as $pid) {
	posix_kill($pid, SIGKILL);
}
echo hrtime(true), "\n";
