--TEST--
descriptors 0 to 2: if the application has closed them, what it prints reaches no connection of ours
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$s = new Server();
$redis = $s->client();
foreach (['closed', 'closes'] as $how) {
	foreach (['plain', 'process', 'thread'] as $kind) {
		$redis('SET', 'innocent', 'here');
		$report = "$s->dir/$how-$kind";
		$code = [__DIR__ . '/closed_standard.inc', $report, $s->socket, $how, $kind];
		$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), '-d', 'redislock.renewal=' . ($kind === 'plain' ? 'auto' : $kind), ...$code])) . ($how === 'closed' ? ' <&- >&- 2>&-' : '');
		$process = proc_open(['sh', '-c', "exec $command"], [['null'], ['null'], ['null']], $pipes);
		$pid = proc_get_status($process)['pid'];
		$ended = comes_true(fn () => !proc_get_status($process)['running'], 30);
		$ended || posix_kill($pid, SIGKILL);
		echo "$how, $kind: ", $ended ? 'ended' : 'hangs', ', ', $redis('GET', 'innocent') ?? 'deleted', ', ', @file_get_contents($report) ?: "no report\n";
	}
}
?>
--EXPECT--
closed, plain: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
closed, process: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
closed, thread: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
closes, plain: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
closes, process: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
closes, thread: ended, here, [[true,true,true],[true,true,true],[true,true,true]]
