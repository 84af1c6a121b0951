--TEST--
RedisLock\LockLostException: leaves nothing half done, wherever it arrives
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/counted.inc';
$s = new Server;
$redis = $s->client();
$wait = 'sleep 0.01; date +%N';
$a = md5('a');
$b = md5('b');
$storage = new SplObjectStorage;
for ($i = 0; $i < 1000; $i++) {
	$storage[new stdClass] = 1;
}
$places = [
	'string behind a call' => function () use ($a, $b, $wait) {
		exec($wait);
		return "$a $b $a";
	},
	'calls in a string' => fn () => "$a {$redis('ECHO', $a)} $b {$redis('ECHO', $b)}",
	'objects' => fn () => take(new Counted, exec($wait), new Counted),
	'strings in a loop' => function () use ($a, $b) {
		$i = 0;
		do {
			$s = "$a $b $a";
		} while (++$i < 100000);
	},
	'choice in a loop' => function () use ($a, $b) {
		for ($i = 0; $i < 100000; $i++) {
			strcmp($i & 1 ? $a : $b, $i & 2 ? "$a$i" : $b);
		}
	},
	'silence' => fn () => @exec($wait),
	'silence in a loop' => function () use ($a, $b) {
		for ($i = 0; $i < 100000; $i++) {
			@($i & 1 ?: $a);
		}
	},
	'unpacking' => fn () => take(md5('x'), ...(fn () => clone $storage)()),
];
foreach ($places as $place => $code) {
	$told = 0;
	$memory = memory_get_usage();
	for ($i = 0; $i < 5; $i++) {
		try {
			$config = $s->options(['name' => 'lost_amid', 'ttl' => 30, 'interval' => 0.02]);
			SequenceTask::execute($config, function () use ($redis, $code) {
				$redis('DEL', 'lost_amid');
				for ($end = now() + 20; now() < $end;) {
					$code();
				}
			});
		} catch (RedisLock\LockLostException $e) {
			$told += (int) !$e->hasResult();
			unset($e);
		}
	}
	/* Damage done is noticed by whoever allocates next. */
	for ($i = 0, $list = []; $i < 10000; $i++) {
		$list[] = md5((string) $i);
	}
	unset($list);
	expect_between("$place: told", $told, 5, 5);
	expect_between("$place: memory", memory_get_usage() - $memory, -1e9, 100_000);
}
var_dump(error_reporting() === E_ALL, Counted::$there);

/* What was on its way out of a finally block comes along. */
for ($i = 0, $chained = 0; $i < 5; $i++) {
	try {
		SequenceTask::execute($config, function () use ($redis, $wait) {
			$redis('DEL', 'lost_amid');
			for ($end = now() + 20; now() < $end;) {
				try {
					try {
						throw new DomainException('first');
					} finally {
						exec($wait);
					}
				} catch (DomainException) {
				}
			}
		});
	} catch (RedisLock\LockLostException $e) {
		$chained += (int) ($e->getPrevious() instanceof DomainException);
	}
}
var_dump($chained > 0);
?>
--EXPECT--
string behind a call: told: ok
string behind a call: memory: ok
calls in a string: told: ok
calls in a string: memory: ok
objects: told: ok
objects: memory: ok
strings in a loop: told: ok
strings in a loop: memory: ok
choice in a loop: told: ok
choice in a loop: memory: ok
silence: told: ok
silence: memory: ok
silence in a loop: told: ok
silence in a loop: memory: ok
unpacking: told: ok
unpacking: memory: ok
bool(true)
int(0)
bool(true)
