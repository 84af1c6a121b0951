--TEST--
reentrant: a key deleted by forceRelease() is gone for all who are in the lock, and entered no more
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$s = new Server(false, ...UNTRACKED);
$key = 'reentrant_forced:a';
$ways = [['name' => $key], ['prefix' => 'reentrant_forced:', 'name' => 'a']];
$is = function (string $what, mixed $wanted, mixed $found) {
	if ($wanted !== $found) {
		echo "$what: ", json_encode($found), ' instead of ', json_encode($wanted), "\n";
	}
};
$quorum = [$s, new Server(false, ...UNTRACKED), new Server(false, ...UNTRACKED)];
$servers = ['servers' => addresses($quorum)];
/* Who is in a lock that another one has ended is told some time later, which is not what this is about. */
$bound = ['renew' => true, 'on_lost' => 'flag'];
$kinds = [
	'leases' => $s->options(),
	'process-bound' => $s->options($bound),
	'leases on a quorum' => $servers,
	'process-bound on a quorum' => $servers + $bound,
	/* A token that comes again must not make one lock out of two. */
	'own token' => $s->options(['token' => 'own']),
	'own token, process-bound' => $s->options(['token' => 'own'] + $bound),
];
foreach ($kinds as $kind => $options) {
	/* On a quorum the last of the three may be late. */
	$on = array_map(fn ($s) => $s->client(), isset($options['servers']) ? $quorum : [$s]);
	$exists = fn () => (int) (array_sum(array_map(fn ($redis) => $redis('EXISTS', $key), $on)) > count($on) / 2);
	$make = fn (int $way) => new RedisLock($ways[$way] + ['reentrant' => true] + $options);
	foreach ([[0, 0], [0, 1], [1, 0]] as [$host, $guest]) {
		/* Who is in it (a: the host, b: a guest, each letter an acquire()), who deletes the key, who comes first then. */
		foreach (['ab', 'aab', 'abb', 'a'] as $in) {
			foreach (['a', 'b'] as $deletes) {
				foreach (['a', 'b'] as $first) {
					$at = "$kind, $host$guest, $in, $deletes, $first: ";
					$locks = ['a' => $make($host), 'b' => $make($guest)];
					foreach (str_split($in) as $who) {
						$is("{$at}enter $who", true, $locks[$who]->acquire());
					}
					$old = $locks['a']->getToken();
					$is("{$at}forced", [true, 0], [$locks[$deletes]->forceRelease(), $exists()]);
					foreach ($locks as $who => $lock) {
						$is("$at$who is out", [false, 0.0, null, null], [$lock->isHeld(), $lock->remaining(), $lock->getToken(), $lock->getFence()]);
						try {
							$lock->detach();
							echo "$at$who detached\n";
						} catch (LogicException) {
						}
					}
					/* A real acquisition, and then entered by the other. */
					$second = $first === 'a' ? 'b' : 'a';
					$is("{$at}anew", [true, 1], [$locks[$first]->acquire(), $exists()]);
					$token = current(array_filter(array_map(fn ($redis) => $redis('GET', $key), $on)));
					$is("{$at}token", [$locks[$first]->getToken(), isset($options['token'])],
						[$token, $old === $token]);
					$is("{$at}not yet", [false, false], [$locks[$second]->isHeld(), $locks[$second]->release()]);
					$is("{$at}still there", [true, 1], [$locks[$first]->isAcquired(), $exists()]);
					$is("{$at}entered", [true, $locks[$first]->getToken()], [$locks[$second]->acquire(), $locks[$second]->getToken()]);
					$is("{$at}out", [true, 1, true, 0],
						[$locks[$first]->release(), $exists(), $locks[$second]->release(), $exists()]);
				}
			}
		}
	}

	/* Somebody else takes it in between. */
	$locks = [$make(0), $make(1)];
	$other = new RedisLock(['name' => $key] + ['token' => null, 'renew' => null, 'on_lost' => null] + $options);
	$is("$kind: taken", [true, true, true, true], [$locks[0]->acquire(), $locks[1]->acquire(), $locks[1]->forceRelease(), $other->acquire()]);
	foreach ([1, 0] as $i) {
		$is("$kind: $i refused", [false, false, false, false, false],
			[$locks[$i]->isHeld(), $locks[$i]->isAcquired(), $locks[$i]->keepAlive(), $locks[$i]->acquire(), $locks[$i]->release()]);
	}
	$is("$kind: other", [true, true], [$other->isAcquired(), $other->release()]);

	/* Deleted by another client: whoever asks finds out, for all. */
	foreach (['isAcquired', 'keepAlive'] as $asks) {
		$locks = [$make(0), $make(1)];
		$_ = $locks[0]->acquire();
		$_ = $locks[1]->acquire();
		foreach ($on as $redis) {
			$redis('DEL', $key);
		}
		$is("$kind: $asks", [false, false, false, true, 1, false],
			[$locks[1]->$asks(), $locks[0]->isHeld(), $locks[1]->isHeld(), $locks[1]->acquire(), $exists(), $locks[0]->isHeld()]);
		$is("$kind: $asks, over", [false, true, 0], [$locks[0]->release(), $locks[1]->release(), $exists()]);
	}
}

/* Who runs under it is told, even when others who are in it take note before. */
$run = ['name' => $key, 'reentrant' => true] + $s->options();
foreach (['forceRelease', 'release after a loss'] as $what) {
	try {
		$result = SequenceTask::execute($run, function () use ($run, $what, $s, $key) {
			$inner = new RedisLock(['renew' => true] + $run);
			$_ = $inner->acquire();
			if ($what === 'forceRelease') {
				$inner->forceRelease();
			} else {
				$s->client()('DEL', $key);
				$inner->isAcquired();
			}
			$inner->release();
			return $inner->acquire() && $inner->release() ? 'a result' : 'not free';
		});
		echo "$what: $result\n";
	} catch (RedisLock\LockLostException $e) {
		echo "$what: told, with ", $e->getResult(), "\n";
	}
}
--EXPECT--
forceRelease: told, with a result
release after a loss: told, with a result
