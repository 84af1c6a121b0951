--TEST--
SequenceTask::execute(): processes started by the callable are seen as without a lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

/* As symfony/process does it: non-blocking pipes, stream_select() with a short limit, status polled in between. */
function run(string $code): array
{
	$process = proc_open(['sh', '-c', $code], [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $pipes);
	fclose($pipes[0]);
	stream_set_blocking($pipes[1], false);
	stream_set_blocking($pipes[2], false);
	$open = [1 => $pipes[1], 2 => $pipes[2]];
	$out = [1 => '', 2 => ''];
	$status = null;
	while ($open) {
		$read = $open;
		$write = $except = [];
		if (@stream_select($read, $write, $except, 0, 200_000) === false) {
			continue;
		}
		foreach ($read as $pipe) {
			$n = array_search($pipe, $open, true);
			$out[$n] .= $piece = (string) fread($pipe, 16384);
			if ($piece === '' && feof($pipe)) {
				unset($open[$n]);
			}
		}
		/* Before PHP 8.3 the exit code is told only once. */
		$status = ($status['running'] ?? true) ? proc_get_status($process) : $status;
	}
	wait_until(function () use ($process, &$status) {
		$status = $status['running'] ? proc_get_status($process) : $status;
		return !$status['running'];
	});
	proc_close($process);
	return [$status['signaled'] ? -$status['termsig'] : $status['exitcode'], $out[1], $out[2]];
}

$s = new Server;
$redis = $s->client();
pcntl_async_signals(true);
$seen = [];
pcntl_signal(SIGCHLD, function (int $signal, array $info) use (&$seen) {
	$seen[] = $info['pid'];
});
$result = SequenceTask::execute($s->options(['name' => 'processes', 'ttl' => 1.5, 'interval' => 0.02]),
	function (RedisLock $lock) use ($redis, &$seen, &$child) {
		$child = await_renewal_child(getmypid());
		for ($i = 0; $i < 10; $i++) {
			echo json_encode(run("echo out; echo err >&2; sleep 0.1; exit $i")), "\n";
		}
		echo json_encode(run('kill -9 $$')), "\n";
		/* proc_close() alone waits, and gives the exit code. */
		var_dump(proc_close(proc_open('sleep 0.2; exit 7', [], $pipes)));
		exec('echo line; exit 3', $lines, $code);
		var_dump($lines, $code);

		/* The child dies and is replaced; nobody but us hears of it. */
		$heard = count($seen);
		posix_kill($child, SIGKILL);
		wait_until(fn () => !in_array(renewal_child(getmypid()), [0, $child]));
		var_dump(renewal_child(getmypid()) !== $child, count($seen) === $heard, pcntl_waitpid(-1, $status, WNOHANG));
		return [$lock->isHeld(), $redis('GET', 'processes') === $lock->getToken()];
	});
var_dump($result, count($seen) > 0, in_array($child, $seen), $redis('EXISTS', 'processes'));
--EXPECT--
[0,"out\n","err\n"]
[1,"out\n","err\n"]
[2,"out\n","err\n"]
[3,"out\n","err\n"]
[4,"out\n","err\n"]
[5,"out\n","err\n"]
[6,"out\n","err\n"]
[7,"out\n","err\n"]
[8,"out\n","err\n"]
[9,"out\n","err\n"]
[-9,"",""]
int(7)
array(1) {
  [0]=>
  string(4) "line"
}
int(3)
bool(true)
bool(true)
int(0)
array(2) {
  [0]=>
  bool(true)
  [1]=>
  bool(true)
}
bool(true)
bool(false)
int(0)
