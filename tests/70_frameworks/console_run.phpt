--TEST--
redislock run: the process becomes the program; where it cannot, it stays beside it and behaves the same
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';
require_once __DIR__ . '/../inc/timing.inc';

$server = new Server;
$redis = $server->client();
putenv("REDISLOCK_SERVER=unix:$server->socket");
$words = fn (string $backend, string ...$arguments): array => [...redislock_command("redislock.renewal=$backend"), 'run', '--name=console_run', ...$arguments];
$said = fn (Run $run): string => $run->end() . ' ' . json_encode(trim(preg_replace(['/process \d+ on \S+/', '/\d+s unless/'], ['process on', 'ns unless'], $run->out . $run->err)));
$free = function (string $step) use ($redis): void {
	$at = now();
	wait_until(fn () => !$redis('EXISTS', 'console_run'));
	expect_taken($step, $at, 0, 1);
};
/* For the next one: a renewal child frees the lock a moment after the program has ended. */
$alone = function (Run $run) use ($said, $redis): string {
	$text = $said($run);
	wait_until(fn () => !$redis('EXISTS', 'console_run'), 60);
	return $text;
};
foreach (['process', 'thread'] as $backend) {
	echo "== $backend\n";
	foreach (['its status' => 'exit 3', 'a signal' => 'kill -KILL $$', 'output' => 'echo out; echo err >&2'] as $what => $script) {
		echo "$what: ", $alone(new Run($words($backend, '--', 'sh', '-c', $script))), "\n";
	}
	$run = new Run($words($backend, '--', 'sh', '-c', 'echo $$; exec cat'));
	$run->await("\n");
	step('same pid', (int) $run->out === $run->pid);
	step('label', explode(':', $redis('GET', 'console_run'))[3]);
	echo 'somebody else: ', $said(new Run($words($backend, '--', 'true'))), "\n";
	$run->say("piped\n");
	$run->hangUp();
	echo 'standard input: ', json_encode([$run->end(), str_ends_with($run->out, "\npiped\n")]), "\n";
	$free('free');

	$run = new Run($words($backend, '--', 'sleep', '600'));
	wait_until(fn () => $redis('EXISTS', 'console_run'));
	$waiter = new Run($words($backend, '--wait=60', '--', 'echo', 'my turn'));
	wait_until(fn () => $redis('EXISTS', '{console_run}:rlk:waiters'));
	wait_until(fn () => !str_contains((string) file_get_contents("/proc/$run->pid/cmdline"), 'redislock') || renewal_children($run->pid) === []);
	posix_kill($run->pid, SIGTERM);
	echo 'TERM: ', $run->end(), "\nwaited: ", $said($waiter), "\n";
	$free('free');

	$ignores = [...Php::command(), '-r', 'pcntl_signal(SIGCHLD, SIG_IGN); pcntl_exec($argv[1], array_slice($argv, 2));', '--'];
	foreach (['timeout' => ['timeout', '1'], 'nohup' => ['nohup'], 'setsid' => ['setsid', '-w'], 'SIGCHLD ignored' => $ignores] as $name => $before) {
		$script = $name === 'timeout' ? 'exec sleep 600' : 'echo alive';
		echo "$name: ", $alone(new Run([...$before, ...$words($backend, '--', 'sh', '-c', $script)])), "\n";
	}
	$run = new Run($words($backend, '--', 'sh', '-c', 'trap "" TERM; echo ready $$; while :; do sleep 0.1; done'));
	$run->await("\n");
	posix_kill($run->pid, SIGTERM);
	echo 'deaf to TERM: ', json_encode(stays_true(fn () => is_running($run->pid), 0.3)), ' ';
	posix_kill(preg_match('/ready (\d+)/', $run->out, $ready) ? (int) $ready[1] : $run->pid, SIGKILL);
	echo $run->end(), "\n";
	$free('free');

	$run = new Run($words($backend, '--ttl=1', '--grace=0.3', '--', 'sh', '-c', 'trap "" TERM; echo ready; while :; do sleep 0.1; done'));
	$run->await('ready');
	$redis('SET', 'console_run', 'thief');
	echo 'lost, KILL: ', $run->end(), "\n";
	$redis('DEL', 'console_run');
	$run = new Run($words($backend, '--ttl=1', '--', 'sh', '-c', 'trap "echo asked; exit 5" TERM; echo ready; while :; do sleep 0.1; done'));
	$run->await('ready');
	$redis('SET', 'console_run', 'thief');
	echo 'lost, TERM: ', $run->end(), ' ', json_encode(str_contains($run->out, 'asked')), "\n";
	$redis('DEL', 'console_run');

	/* A full pipe blocks the program only; its reader's end ends it. */
	$run = new Run(['sh', '-c', implode(' ', array_map(escapeshellarg(...), $words($backend, '--', 'yes'))) . ' | head -c 100000 | wc -c']);
	$run->end();
	echo 'a pipe: ', trim($run->out), "\n";
	$free('free');

	$run = new Run(['setsid', '-c', '-w', ...$words($backend, '--', 'sh', '-c', 'test -t 0 && test -t 1 && echo terminal; exec cat')], true);
	$run->await('terminal');
	$run->say("\x03");
	echo 'a terminal: ', $run->end(), "\n";
	$free('free');
}
echo "== lost\n";
foreach (['without a terminal' => false, 'in a terminal' => true] as $where => $terminal) {
	foreach (['' => 'it was the program', '--stay' => 'it has stayed'] as $stay => $what) {
		$run = new Run([...$words('process', '--ttl=1', ...array_filter([$stay])), '--', 'sh', '-c', 'echo ready; exec sleep 600'], $terminal);
		$run->await('ready');
		$redis('SET', 'console_run', 'thief');
		echo "$what, $where: ", $run->end(), ' ', json_encode(str_contains($run->out . $run->err, 'the lock was lost while the program ran')), "\n";
		$redis('DEL', 'console_run');
	}
}
foreach (['exit 3', 'kill -KILL $$', 'exit 0'] as $script) {
	echo "it has stayed, $script: ", $said(new Run($words('process', '--stay', '--', 'sh', '-c', $script))), "\n";
}
$run = new Run($words('process', '--stay', '--server', "unix:$server->socket?read_timeout=1", '--', 'sh', '-c', "kill -STOP $server->pid; exit 3"));
$status = $run->end();
$server->thaw();
step('it has stayed, no answer to the release', $status, str_contains($run->err, 'did not answer in time'));
$free('free');
echo "== permits\n";
$permitted = fn (string ...$more) => new Run($words('process', '--permits=2', ...$more, ...['--', 'sh', '-c', 'echo ready; exec cat']));
$two = [$permitted(), $permitted('--stay')];
foreach ($two as $run) {
	$run->await('ready');
}
$third = $permitted();
step('the third', $third->end(), preg_match_all('/process \d+ on \S+ \(sh\)/', $third->err));
$list = new Run([...redislock_command(), 'list', '--json']);
$list->end();
$row = json_decode($list->out, true);
step('listed', $row['kind'], $row['permits'], count($row['holders']));
$two[0]->hangUp();
step('one ends', $two[0]->end());
$next = $permitted('--wait=60');
$next->await('ready');
foreach ([$two[1], $next] as $run) {
	$run->hangUp();
	step('the others', $run->end());
}
$free('free');
echo "== before it\n";
foreach ([['--', 'no-such-program'], ['--', '/etc/passwd'], ['--wait=x', '--', 'true'], ['--grace=x', '--', 'true'], ['--ttl=4000', '--', 'true'], [],
	['--server', 'unix:/nonexistent', '--', 'true']] as $arguments) {
	echo $said(new Run($words('process', ...$arguments))), "\n";
}
echo $said(new Run([...redislock_command(), 'run', '--', 'true'])), "\n";
file_put_contents($script = "$server->dir/script", "#!/nonexistent\n");
chmod($script, 0700);
$run = new Run($words('process', '--', $script));
step('no interpreter', $run->end(), str_ends_with(trim($run->err), 'cannot be run: No such file or directory'));

echo "== on this machine\n";
$local = "--local=$server->dir/local";
$run = new Run($words('process', $local, '--', 'sh', '-c', 'echo ready; cat; exit 4'));
$run->await('ready');
$other = new Run($words('process', $local, '--', 'true'));
step('somebody else', $other->end(), trim($other->err) === "redislock: \"console_run\" is held by process $run->pid");
$run->hangUp();
echo $run->end(), ' ', $said(new Run($words('process', $local, '--wait=5', '--', 'echo', 'mine'))), "\n";
$wrong = new Run($words('process', $local, '--ttl=5', '--', 'true'));
step('a ttl', $wrong->end(), str_contains($wrong->err, '"ttl"'));
?>
--EXPECT--
== process
its status: 3 ""
a signal: 137 ""
output: 0 "out\nerr"
same pid: true
label: 'sh'
somebody else: 75 "redislock: \"console_run\" is held by process on (sh), for ns unless it is renewed"
standard input: [0,true]
free: ok
TERM: 143
waited: 0 "my turn"
free: ok
timeout: 124 ""
nohup: 0 "alive"
setsid: 0 "alive"
SIGCHLD ignored: 0 "alive"
deaf to TERM: true 137
free: ok
lost, KILL: 137
lost, TERM: 5 true
a pipe: 100000
free: ok
a terminal: 130
free: ok
== thread
its status: 3 ""
a signal: 137 ""
output: 0 "out\nerr"
same pid: false
label: 'sh'
somebody else: 75 "redislock: \"console_run\" is held by process on (sh), for ns unless it is renewed"
standard input: [0,true]
free: ok
TERM: 143
waited: 0 "my turn"
free: ok
timeout: 124 ""
nohup: 0 "alive"
setsid: 0 "alive"
SIGCHLD ignored: 0 "alive"
deaf to TERM: true 137
free: ok
lost, KILL: 70
lost, TERM: 70 true
a pipe: 100000
free: ok
a terminal: 130
free: ok
== lost
it was the program, without a terminal: 143 false
it has stayed, without a terminal: 70 true
it was the program, in a terminal: 143 false
it has stayed, in a terminal: 70 true
it has stayed, exit 3: 3 ""
it has stayed, kill -KILL $$: 137 ""
it has stayed, exit 0: 0 ""
it has stayed, no answer to the release: 3, true
free: ok
== permits
the third: 75, 2
listed: 'set', 2, 2
one ends: 0
the others: 0
the others: 0
free: ok
== before it
127 "redislock: no-such-program: not found"
126 "redislock: \/etc\/passwd: cannot be run"
64 "redislock: --wait takes seconds, or inf"
64 "redislock: --grace takes seconds"
64 "redislock: RedisLock::__construct(): Argument #1 ($params) is not valid: option \"ttl\" is in seconds, and must be at most 3600 for a process-bound lock, 4000 given"
64 "redislock: Not enough arguments (missing: \"program\")."
69 "redislock: lock \"console_run\": cannot connect: No such file or directory (unix:\/\/\/nonexistent)"
64 "redislock: say which lock: --name=NAME"
no interpreter: 126, true
== on this machine
somebody else: 75, true
4 0 "mine"
a ttl: 64, true
