--TEST--
Laravel's queue worker: runs, times out and stops jobs under a lock as without one
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor('pcntl', 'mbstring', 'ctype', 'tokenizer'); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$start = function (string ...$jobs) use ($s): Php {
	$php = Php::program(__DIR__ . '/laravel_worker.inc', [$s->socket, ...$jobs], [...load('pcntl', 'mbstring', 'ctype', 'tokenizer'),
		'auto_prepend_file=' . dirname(__DIR__) . '/inc/vendor_deprecations.inc']);
	$php->await((string) $php->pid);
	return $php;
};
$free = fn () => $redis('EXISTS', 'laravel_worker') === 0;

/* Several jobs of one process, among them one that throws and one that loses its lock. */
$php = $start('short', 'process', 'throws', 'lost', 'short');
while (($line = $php->line()) !== null) {
	echo "$line\n";
	if ($line === 'in') {
		$redis('DEL', 'laravel_worker');
	}
}
echo json_encode($php->end()), $free() ? ", free\n" : ", not free\n";

/* The worker kills itself when a job takes too long, with SIGKILL: nobody but the renewal child can free the lock. */
foreach (['endless', 'asleep'] as $job) {
	expect_within("$job: free after", 0.05, function () use ($job, $start, $free) {
		$php = $start('short', $job, 'short');
		$php->await('in');
		$child = await_renewal_child($php->pid);
		$held = !$free();
		$php->tell('on');
		$seen = [$held, $php->rest(), $php->end()];
		$ended = now();
		wait_until($free);
		$seconds = taken($ended);
		if ($seen !== [true, '', ['signal' => SIGKILL]] || !comes_true(fn () => !is_running($child))) {
			var_dump($seen, is_running($child));
		}
		return $seconds;
	}, 3);
}

/* SIGTERM lets it finish its job, with the lock, and end. */
$php = $start('stopped', 'short');
$php->await('in');
$held = !$free();
$php->signal(SIGTERM);
echo $php->rest(), json_encode([$held, $php->end()]), $free() ? ", free\n" : ", not free\n";
--EXPECT--
short: done
exit 3
process: done
DomainException: business
in
RedisLock\LockLostException: lock "laravel_worker" was lost: its key was deleted or has another owner
short: done
{"exit":0}, free
endless: free after: ok
asleep: free after: ok
stopped: done
[true,{"exit":0}], free
