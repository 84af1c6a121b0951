--TEST--
symfony/process: what a callable runs by it ends, is told of and times out as without a renewal child
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor('pcntl'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();

use Symfony\Component\Process\Exception\ProcessTimedOutException;
use Symfony\Component\Process\Process;

$s = new Server;
$redis = $s->client();
$run = function () {
	/* Exit codes and output, one after the other and several at once. */
	foreach ([0, 3] as $code) {
		$process = Process::fromShellCommandline("echo out; echo err >&2; sleep 0.05; exit $code");
		$process->run();
		echo json_encode([$process->getExitCode(), $process->getOutput(), $process->getErrorOutput()]), "\n";
	}
	$several = array_map(fn ($n) => Process::fromShellCommandline("sleep 0.0$n; exit $n"), range(1, 5));
	array_walk($several, fn (Process $process) => $process->start());
	echo json_encode(array_map(fn (Process $process) => $process->wait(), $several)), "\n";

	/* Its time limit, and an end by a signal. */
	try {
		(new Process(['sleep', '20']))->setTimeout(0.2)->run();
	} catch (ProcessTimedOutException $e) {
		echo get_class($e), ' ', $e->getProcess()->isRunning() ? 'still runs' : 'has ended', "\n";
	}
	$process = new Process(['sleep', '20']);
	$process->start();
	$process->stop(5, SIGTERM);
	var_dump($process->getTermSignal());

	/* Input and output by callbacks while the renewal child works. */
	$process = new Process(['cat']);
	$process->setInput(str_repeat('x', 300000));
	$length = 0;
	$process->mustRun(function ($type, $data) use (&$length) {
		$length += strlen($data);
	});
	var_dump($length);
};

ob_start();
$run();
$alone = ob_get_clean();
/* All the time renewals go on, and the child itself dies now and then. */
$locked = SequenceTask::execute($s->options(['name' => 'symfony_process', 'ttl' => 10, 'interval' => 0.01]),
	function (RedisLock $lock) use ($run, $redis, $s) {
		ob_start();
		$run();
		/* Two children have ended: one is for us to collect, the other for whoever started it. */
		$process = Process::fromShellCommandline("until [ -e $s->dir/go ]; do sleep 0.01; done; exit 7");
		$process->start();
		$pid = $process->getPid(); /* null once it has ended */
		touch("$s->dir/go");
		wait_until(fn () => !is_running($pid));
		foreach (['an older one', 'a younger one'] as $child) {
			posix_kill($child = await_renewal_child(getmypid()), SIGKILL);
			wait_until(fn () => !in_array(renewal_child(getmypid()), [0, $child]));
		}
		$code = $process->wait();
		$run();
		return [ob_get_clean(), $lock->isHeld(), $code, $redis('GET', 'symfony_process') === $lock->getToken()];
	});
echo $alone;
var_dump($locked[0] === $alone . $alone, $locked[1], $locked[2], $locked[3]);

/* A loss ends the wait for a process, which is its owner's to end. */
$process = new Process(['sleep', '30']);
try {
	SequenceTask::execute($s->options(['name' => 'symfony_process', 'interval' => 0.05]), function () use ($process, $redis) {
		$process->start();
		$redis('DEL', 'symfony_process');
		$process->wait();
	});
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
var_dump($process->isRunning(), $process->stop(10), $process->isTerminated());
--EXPECT--
[0,"out\n","err\n"]
[3,"out\n","err\n"]
[1,2,3,4,5]
Symfony\Component\Process\Exception\ProcessTimedOutException has ended
int(15)
int(300000)
bool(true)
bool(true)
int(7)
bool(true)
lock "symfony_process" was lost: its key was deleted or has another owner
bool(true)
int(143)
bool(true)
