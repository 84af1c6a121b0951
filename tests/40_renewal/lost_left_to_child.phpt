--TEST--
A lock that is lost while its server does not answer: nobody waits for that server, and the renewal child frees what the lock left there
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
/* slow: servers that do not answer, in each way in which a lock ends */
require __DIR__ . '/../inc/timing.inc';
/* Time limits of the server are 2 s each. */
const AT_ONCE = 0.02;

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'left_to_child', 'ttl' => 1.2, 'interval' => 0.1]);
$gone = fn () => $redis('EXISTS', 'left_to_child') === 0;

/** Takes the server away until the lock is lost. */
function lose(Server $s, RedisLock $lock): void
{
	$s->freeze();
	wait_until(fn () => !$lock->isHeld());
}

$ways = [
	'thrown inside' => fn (&$told) => SequenceTask::execute($config, function () use ($s, &$told) {
		$s->freeze();
		try {
			for (;;);
		} finally {
			$told = now();
		}
	}),
	'synchronized()' => fn (&$told) => (new RedisLock($config))->synchronized(function () use ($s, &$told) {
		$s->freeze();
		try {
			for (;;);
		} finally {
			$told = now();
		}
	}),
	'flagged' => fn (&$told) => SequenceTask::execute(['on_lost' => 'flag'] + $config, function (RedisLock $lock) use ($s, &$told) {
		lose($s, $lock);
		$told = now();
	}),
];
$plain = function (callable $end) use ($s, $config) {
	return function (&$told) use ($s, $config, $end) {
		$lock = new RedisLock(['renew' => true, 'on_lost' => 'flag'] + $config);
		$_ = $lock->acquire();
		lose($s, $lock);
		$told = now();
		$end($lock);
	};
};
$ways['release()'] = $plain(fn (RedisLock $lock) => $lock->release() && print("released?\n"));
$ways['destructor'] = $plain(function (RedisLock &$lock) {
	$lock = null;
});
$ways['acquired in place of it'] = function (&$told) use ($s, $config, $redis) {
	$lock = new RedisLock(['renew' => true, 'on_lost' => 'flag'] + $config);
	$_ = $lock->acquire();
	lose($s, $lock);
	$told = now();
	$lock->release();
	$out = now();
	$s->thaw();
	/* A token of its own: the release of the one before takes nothing from it. */
	wait_until(fn () => $lock->acquire(5));
	if (!comes_true(fn () => is_renewed($redis, 'left_to_child', 1) || $redis('PTTL', 'left_to_child') > 0) || !$lock->isAcquired()) {
		echo "taken from us\n";
	}
	$lock->release();
	$told += now() - $out; /* not part of it */
};
foreach ($ways as $name => $way) {
	expect_within("$name, out", AT_ONCE, function () use ($way, $s, $redis) {
		$told = INF;
		try {
			$way($told);
		} catch (RedisLock\LockLostException) {
		}
		$out = taken($told);
		$s->thaw();
		wait_until(fn () => $redis('EXISTS', 'left_to_child') === 0);
		return $out;
	}, 3);
}

/* Renewals that the server has not read yet run as it goes on. The release comes behind them. */
$config['ttl'] = 3;
expect_within('freed by the child', 1.0, function () use ($s, $config, $gone) {
	try {
		SequenceTask::execute($config, function () use ($s) {
			$s->freeze();
			for (;;);
		});
	} catch (RedisLock\LockLostException) {
	}
	$s->thaw();
	$start = now();
	wait_until($gone);
	return taken($start);
}, 3);

expect_within('acquired again', 1.0, function () use ($s, $config) {
	$lock = new RedisLock(['renew' => true, 'on_lost' => 'flag'] + $config);
	$_ = $lock->acquire();
	lose($s, $lock);
	$s->thaw();
	$start = now();
	$lock->acquire(10) || print("not acquired\n");
	$took = taken($start);
	$lock->release() || print("not ours\n");
	return $took;
}, 3);

/* The process ends before the server is back. */
$code = '
$config = json_decode($argv[1], true);
$how = $argv[2];
try {
	SequenceTask::execute($config, function () use ($argv, $how) {
		stop_process((int) $argv[3]);
		try {
			for (;;);
		} catch (RedisLock\LockLostException $e) {
			echo "lost\n";
			fgets(STDIN);
			throw $e;
		}
	});
} catch (RedisLock\LockLostException) {
	echo "told\n";
}';
foreach (['exits', 'is killed'] as $how) {
	$process = new Php($code, [json_encode($config), $how, (string) $s->pid]);
	$process->await('lost');
	$child = await_renewal_child($process->pid);
	if ($how === 'exits') {
		$start = now();
		$process->tell('');
		$process->await('told');
		$process->end();
		expect_taken('out of the process', $start, 0, 0.5);
	} else {
		$process->signal(SIGKILL);
		$process->end();
	}
	$s->thaw();
	$start = now();
	echo comes_true($gone) && taken($start) < 2.5 ? "free\n" : sprintf("left to its ttl: %.3f\n", now() - $start);
	echo comes_true(fn () => !is_running($child)) ? "the child is gone\n" : "the child goes on\n";
}

/* A server that stays away: the child gives up with the ttl. */
$process = new Php($code, [json_encode(['ttl' => 1.2] + $config), 'exits', (string) $s->pid]);
$process->await('lost');
$start = now();
$child = await_renewal_child($process->pid);
$process->tell('');
$process->await('told');
$process->end();
echo is_running($child) ? "the child goes on\n" : "the child is gone\n";
echo comes_true(fn () => !is_running($child)) ? "the child is gone\n" : "the child goes on\n";
expect_taken('it took the ttl', $start, 0.5, 5);
$s->thaw();
?>
--EXPECT--
thrown inside, out: ok
synchronized(), out: ok
flagged, out: ok
release(), out: ok
destructor, out: ok
acquired in place of it, out: ok
freed by the child: ok
acquired again: ok
out of the process: ok
free
the child is gone
free
the child is gone
the child goes on
the child is gone
it took the ttl: ok
