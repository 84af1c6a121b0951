<?php
/*
 * outlives.php: a process-bound lock outlives its ttl, its loss is told, and its holder's death frees it.
 *
 *     php -d extension=MODULE scripts/ci/outlives.php MODULE [redis://127.0.0.1:6379]
 *
 * For systems where the other tests do not run, since those read /proc. It needs a server, and nothing else of the system.
 */

const TTL = 1;

[, $module, $uri] = $argv + [2 => 'redis://127.0.0.1:6379'];
$params = ['url' => $uri, 'name' => 'outlives-' . bin2hex(random_bytes(4)), 'ttl' => TTL];

function expect(bool $holds, string $what): void
{
	if (!$holds) {
		fwrite(STDERR, "outlives.php: $what\n");
		exit(1);
	}
	echo "ok: $what\n";
}

function seconds(): float
{
	return hrtime(true) / 1e9;
}

$other = new RedisLock($params);

$lock = new RedisLock(['renew' => true] + $params);
expect($lock->acquire(), 'it is acquired');
$refused = true;
$start = seconds();
/* A pause, since what must not happen is no event. */
while ($refused && seconds() < $start + 3 * TTL) {
	$refused = !$other->acquire();
	usleep(20_000);
}
expect($refused && $lock->isHeld() && $lock->isAcquired(), 'it is held for three times its ttl, and nobody else gets it');
if (function_exists('pcntl_wait')) {
	expect(pcntl_waitpid(-1, $status, WNOHANG) === -1, 'pcntl_wait() does not see the child that renews it');
}
expect($lock->release() && $other->acquire() && $other->release(), 'it is free after its release');

/* Its loss interrupts what runs under it. */
$start = seconds();
try {
	SequenceTask::execute($params, function () use ($other, &$start) {
		$other->forceRelease();
		$start = seconds();
		while (seconds() < $start + 10) {
			usleep(1000);
		}
	});
	expect(false, 'its loss is told');
} catch (RedisLock\LockLostException) {
	expect(seconds() < $start + 2 * TTL, 'its loss is told');
}

/* By its child, which outlives it: its ttl is long. */
$params['ttl'] = 60;
$other = new RedisLock($params);
$code = 'SequenceTask::execute(' . var_export($params, true) . ', function () { echo "in\n"; sleep(60); });';
foreach (['is ended' => 15, 'is killed' => 9] as $how => $signal) {
	$holder = proc_open([PHP_BINARY, '-n', '-d', "extension=$module", '-r', $code], [1 => ['pipe', 'w']], $pipes);
	expect(fgets($pipes[1]) === "in\n" && !$other->acquire(), 'another process has it');
	proc_terminate($holder, $signal);
	expect($other->acquire(10) && $other->release(), "its holder $how: it is free at once");
	proc_close($holder);
}
