--TEST--
RedisLock::exec(): the process becomes a program, which keeps the lock until it ends, however that ends
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$run = fn (array $exec, array $options = [], string $between = '') => Php::program(__DIR__ . '/exec.inc',
	[$s->socket, 'exec', json_encode($options), json_encode($exec), $between]);
$sh = fn (string $script) => ['program' => '/bin/sh', 'args' => ['-c', $script]];

$php = $run(['program' => '/bin/sh', 'args' => ['-c', 'echo $$ "$0" "$1" "[$VAR]"; read line; exit 7', 'zero', 'a b'],
	'env' => ['VAR' => 'x=y']], ['interval' => 0.1]);
echo str_replace($php->pid, 'the pid of PHP', $php->line()), "\n";
$child = renewal_child($php->pid);
echo 'renewed: ', json_encode(is_renewed($redis, 'exec')), ', by the same child: ', json_encode(renewal_child($php->pid) === $child), "\n";
$php->tell('go on');
echo json_encode($php->end()), ', its own status, then the lock is ', comes_true(fn () => !$redis('EXISTS', 'exec')) ? 'free' : 'held',
	', the child ', comes_true(fn () => !is_running($child)) ? 'gone' : 'there', "\n";

/* Looked for in PATH, with the environment of the process. */
putenv('EXEC_TEST=of the process');
echo $run(['program' => 'sh', 'args' => ['-c', 'echo $EXEC_TEST']])->rest();

/* In the folder of the script; a thread has one of its own. */
file_put_contents("$s->dir/here", "#!/bin/sh\n" . 'echo "in the folder: ${PWD##*/}"');
chmod("$s->dir/here", 0755);
$run_here = fn (string $between) => str_replace(basename($s->dir), 'its own', $run(['program' => './here'], [], $between)->rest());
echo $run_here('chdir(dirname($socket));');
echo $run_here('chdir(dirname($socket)); $before = readlink("/proc/self/cwd");
	try { $lock->exec("./nowhere"); } catch (RedisLock\\Exception) { echo "refused, the folder of the process stays: ", json_encode(readlink("/proc/self/cwd") === $before), "\n"; }');

/* A lock beside it whose server hangs keeps the renewal child, which else ends before taken() sees how long it waited for a processor. */
$php = null;
$hung = new Server;
expect_within('free after SIGKILL', 0.05, function () use ($run, $sh, $redis, $hung) {
	$php = $run($sh('echo in; exec sleep 60'), [], '$other = new RedisLock(["unix_socket" => ' . var_export($hung->socket, true) .
		', "name" => "exec-hung", "renew" => true]); $_ = $other->acquire(20);');
	$php->await('in');
	$hung->freeze();
	$php->signal(SIGKILL);
	$killed = now();
	wait_until(fn () => !$redis('EXISTS', 'exec'));
	$taken = taken($killed);
	$hung->thaw();
	return $taken;
}, 10);

/* What it leaves behind does not keep the lock. */
$php = $run($sh('sleep 60 >/dev/null </dev/null 2>&1 & echo $!'));
$left = (int) $php->line();
echo 'a process in the background: ', comes_true(fn () => !$redis('EXISTS', 'exec')) && is_running($left) ? 'runs on without the lock' : 'keeps it', "\n";
posix_kill($left, SIGKILL);

/* Stopped and continued, as by a shell with job control. */
$php = $run($sh('echo in; read line; echo out'), ['interval' => 0.1]);
$php->await('in');
$php->signal(SIGSTOP);
echo 'stopped, renewed: ', json_encode(is_renewed($redis, 'exec')), "\n";
$php->signal(SIGCONT);
$php->tell('go on');
echo $php->rest();

/* As pcntl_exec() leaves them, but for SIGPIPE. */
$before = 'pcntl_sigprocmask(SIG_BLOCK, [SIGUSR1, SIGURG]); pcntl_signal(SIGUSR2, fn () => 0); pcntl_signal(SIGHUP, SIG_IGN); ';
$lines = fn (string $text) => preg_replace(['/\[\d+\]/', '~/\S+ \(deleted\)~'], '', preg_replace_callback('/^SigIgn:\s+(\w+)/m',
	fn ($m) => 'SigIgn ' . dechex(hexdec($m[1]) & ~(1 << (SIGPIPE - 1))), $text));
foreach (['signals' => ['/bin/grep', ['-E', '^(Sig(Blk|Ign|Cgt|Pnd)|Shd)', '/proc/self/status']],
	'descriptors' => ['/bin/sh', ['-c', 'for fd in /proc/$$/fd/*; do echo ${fd##*/} $(readlink $fd); done']]] as $name => [$program, $args]) {
	$ours = $lines($run(['program' => $program, 'args' => $args], [], $before)->rest());
	/* A lease: the end of a renewal child would be a signal. */
	$plain = $lines($run([], ['renew' => false], "$before \$lock->release(); unset(\$lock); pcntl_exec('$program', " . var_export($args, true) . ');')->rest());
	echo "$name: ", $ours === $plain ? "as after pcntl_exec()\n" : "\n$ours\n$plain";
	echo $name === 'signals' ? preg_replace('/.*^(SigBlk:)\s+0*(\w+).*/ms', "\\1 \\2\n", $ours) : '';
}
echo 'a closed pipe: ', trim($run($sh('exec 3>&1; (yes; echo $? >&3) | head -1 >/dev/null'))->rest()), "\n"; /* 141: ended by SIGPIPE */
echo 'a time limit of PHP: ', trim($run($sh('i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done; echo none'), [], 'set_time_limit(1);
	for ($until = hrtime(true) + 8e8; hrtime(true) < $until;);')->rest()), "\n";

/* Started by nohup: PHP catches the signal, and the program ignores it again. */
$php = proc_open(['/bin/sh', '-c', 'trap "" HUP; exec "$@"', 'sh', ...Php::command(), __DIR__ . '/exec.inc', $s->socket, 'exec', '[]',
	json_encode($sh('kill -HUP $$; echo alive')), ''], [1 => ['pipe', 'w']], $pipes);
echo 'under nohup: ', stream_get_contents($pipes[1]);
proc_close($php);

/* Inside synchronized(), and with another lock, which goes along. */
$php = $run($sh('echo in; read line'), ['interval' => 0.1], '$other = new RedisLock(["unix_socket" => $socket, "name" => "exec-other", "renew" => true]);
	$lock->release();
	$other->synchronized(fn () => $lock->synchronized(fn () => $lock->exec(...json_decode($exec, true))));');
$php->await('in');
echo 'two locks: ', $redis('EXISTS', 'exec', 'exec-other');
$php->signal(SIGTERM);
echo ', then ', comes_true(fn () => !$redis('EXISTS', 'exec', 'exec-other')) ? 'none' : 'some', ', ', json_encode($php->end()), "\n";
?>
--EXPECT--
the pid of PHP zero a b [x=y]
renewed: true, by the same child: true
{"exit":7}, its own status, then the lock is free, the child gone
of the process
in the folder: its own
refused, the folder of the process stays: true
in the folder: its own
free after SIGKILL: ok
a process in the background: runs on without the lock
stopped, renewed: true
out
signals: as after pcntl_exec()
SigBlk: 400200
descriptors: as after pcntl_exec()
a closed pipe: 141
a time limit of PHP: none
under nohup: alive
two locks: 2, then none, {"signal":15}
