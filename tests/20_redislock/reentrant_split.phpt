--TEST--
reentrant: a key split differently into prefix and name is one lock, and each object goes on to lock that same key
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$key = 'reentrant_split:a';
$whole = ['name' => $key];
$split = ['prefix' => 'reentrant_split:', 'name' => 'a'];
$keys = function () use ($redis) {
	$keys = $redis('KEYS', '*');
	sort($keys);
	return $keys === [] ? 'no key' : implode(' ', $keys);
};
$is = function (string $what, mixed $wanted, mixed $found) {
	if ($wanted !== $found) {
		echo "$what: ", json_encode($found), ' instead of ', json_encode($wanted), "\n";
	}
};

foreach (['leases' => [], 'process-bound' => ['renew' => true]] as $kind => $with) {
	foreach (['whole first' => [$whole, $split], 'split first' => [$split, $whole]] as $order => [$one, $two]) {
		$make = fn (array $which, array $more = []) => new RedisLock($s->options($which + $with + $more + ['reentrant' => true]));
		$at = "$kind, $order, ";

		/* In every order of letting go, and then anew. */
		foreach (['ab', 'ba'] as $letting_go) {
			[$a, $b] = $locks = [$make($one), $make($two)];
			$is("$at$letting_go enter", [true, true, $key], [$a->acquire(), $b->acquire(), $keys()]);
			$is("$at$letting_go same token", $a->getToken(), $b->getToken());
			foreach (str_split($letting_go) as $i => $who) {
				$lock = $locks[ord($who) - ord('a')];
				$is("$at$letting_go release $who", [true, false, $i ? 'no key' : $key], [$lock->release(), $lock->isHeld(), $keys()]);
			}
			foreach (['a', 'b'] as $who) {
				$lock = $locks[ord($who) - ord('a')];
				$is("$at$letting_go again $who", [true, $key, true, 'no key'],
					[$lock->acquire(), $keys(), $lock->release(), $keys()]);
			}
		}

		/* Left and come back while the other stays: by the host, and by the guest. */
		foreach ([0, 1] as $leaver) {
			$locks = [$make($one), $make($two)];
			$is("$at$leaver enter", [true, true], [$locks[0]->acquire(), $locks[1]->acquire()]);
			$is("$at$leaver come back", [true, true, $key], [$locks[$leaver]->release(), $locks[$leaver]->acquire(), $keys()]);
			$is("$at$leaver stays in", [true, true], [$locks[0]->isHeld(), $locks[1]->isHeld()]);
			$is("$at$leaver all leave", [true, $key, true, 'no key'],
				[$locks[$leaver]->release(), $keys(), $locks[1 - $leaver]->release(), $keys()]);
		}

		/* One that goes takes its way of writing the key along; the other keeps its own. */
		[$a, $b] = [$make($one), $make($two)];
		$is("{$at}guest stays", [true, true], [$a->acquire(), $b->acquire()]);
		unset($a);
		$is("{$at}guest alone", [true, $key, true, 'no key', true, $key, true],
			[$b->isAcquired(), $keys(), $b->release(), $keys(), $b->acquire(), $keys(), $b->release()]);

		/* Names given to lock() and unlock(), some of each. */
		[$a, $b] = [$make(['prefix' => $one['prefix'] ?? '', 'name' => 'x']), $make(['prefix' => $two['prefix'] ?? '', 'name' => 'x'])];
		$is("{$at}lock()", [true, true, $key], [$a->lock($one['name']), $b->lock($two['name']), $keys()]);
		$is("{$at}lock() twice", [true, true, false], [$b->lock($two['name']), $b->unlock($two['name']), $b->unlock($one['name'])]);
		$is("{$at}unlock()", [true, $key, true, 'no key'], [$b->unlock($two['name']), $keys(), $a->unlock($one['name']), $keys()]);
		$is("{$at}lock() again", [true, $key, true, 'no key'], [$b->lock($two['name']), $keys(), $b->unlock($two['name']), $keys()]);

		/* Everything else goes to the one key, too. */
		[$a, $b] = [$make($one, ['fence' => true]), $make($two, ['fence' => true])];
		$_ = $a->acquire();
		$_ = $b->acquire();
		$is("{$at}asks", [true, true, $a->getFence(), $redis('GET', $key)],
			[$b->isAcquired(), $b->keepAlive(1000), $b->getFence(), $b->getToken()]);
		$is("{$at}extends", true, $redis('PTTL', $key) > 900_000 && $a->remaining() > 900);
		$token = $b->detach();
		$is("{$at}detached", [false, false, $token, false, false],
			[$a->isHeld(), $b->isHeld(), $redis('GET', $key), $a->acquire(), $b->acquire()]);
		$redis('FLUSHALL');
		unset($a, $b);
	}
}

$task = fn (array $which, callable $do) => SequenceTask::execute($s->options($which + ['reentrant' => true]), $do);
foreach ([[$whole, $split], [$split, $whole]] as [$outer, $inner]) {
	$is('nested', [$key, $key, $key, 'no key'],
		[...$task($outer, fn () => [$task($inner, $keys), $task($inner, $keys), $keys()]), $keys()]);
}
echo "done\n";
--EXPECT--
done
