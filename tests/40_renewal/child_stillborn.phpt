--TEST--
renewal child: where the system ends each one at once the lock is lost, and neither retried without end nor waited for
--SKIPIF--
<?php require __DIR__ . '/../inc/ext.inc'; skip_unless_compiler();
--FILE--
<?php
require __DIR__ . '/../inc/ext.inc';

$s = new Server;
$program = "$s->dir/refuse";
exec('gcc -O1 -Wall -Wextra -Werror -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/../ext/refuse.c') . ' 2>&1', $said, $status);
echo implode("\n", $said), $status === 0 ? "compiled\n" : "\n";
$code = <<<'CODE'
	$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => "child_stillborn_$argv[2]", 'ttl' => 60, 'renew' => true]);
	$start = hrtime(true);
	try {
		$argv[2] === 'wait' && (new RedisLock(['unix_socket' => $argv[1], 'name' => 'child_stillborn_wait', 'ttl' => 1]))->acquire();
		$_ = $lock->acquire(10);
		for (; hrtime(true) < $start + 20e9; usleep(1000)) {
			$argv[2] === 'exec' && $lock->exec('echo', ['not reached']);
		}
		echo "not told\n";
	} catch (RedisLock\Exception $e) {
		/* exec() says that there is no child, or its caller that the lock was lost by that. */
		echo $argv[2] === 'exec' ? 'told' : $e->getMessage(), hrtime(true) < $start + 8e9 ? "\n" : ", but late\n";
	}
	var_dump($lock->isHeld(), $lock->release());
	CODE;
foreach (['loop', 'wait', 'exec'] as $what) {
	$command = [$program, '--end', ...Php::command(), '-r', $code, $s->socket, $what];
	echo "$what: ", shell_exec('ulimit -c 0; exec ' . implode(' ', array_map(escapeshellarg(...), $command)) . ' 2>&1');
}
--EXPECT--
compiled
loop: lock "child_stillborn_loop" was lost: the renewal child died and could not be started again
bool(false)
bool(false)
wait: lock "child_stillborn_wait" was lost: the renewal child died and could not be started again
bool(false)
bool(false)
exec: told
bool(false)
bool(false)
