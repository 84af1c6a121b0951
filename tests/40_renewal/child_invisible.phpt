--TEST--
renewal child: invisible to pcntl_wait() and SIGCHLD handlers
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
pcntl_async_signals(true);
$signals = 0;
pcntl_signal(SIGCHLD, function () use (&$signals) {
	$signals++;
});

function own_child(int $status): int
{
	return ($pid = pcntl_fork()) ?: posix_kill(getmypid(), $status);
}
/* The server hangs on a child of ours, too; it stays. */
SequenceTask::execute($s->options(['name' => 'child_invisible']), function () use (&$signals) {
	$child = await_renewal_child(getmypid());
	var_dump(pcntl_waitpid(-1, $status, WNOHANG), pcntl_waitpid($child, $status, WNOHANG));

	$pid = own_child(SIGKILL);
	var_dump(pcntl_wait($status) === $pid, pcntl_wtermsig($status));
	var_dump(comes_true(fn () => $signals === 1));

	posix_kill($child, SIGKILL);
	var_dump(comes_true(fn () => !posix_kill($child, 0)), pcntl_waitpid(-1, $status, WNOHANG));
});
echo "signals of children: $signals\n";
--EXPECT--
int(0)
int(-1)
bool(true)
int(9)
bool(true)
bool(true)
int(0)
signals of children: 1
