--TEST--
The extension and the polyfill beside each other: they exclude, see, wake and succeed each other, with the same keys, tokens and numbers
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/side.inc';

$server = new Server();
$redis = $server->client();
$lock = <<<'CODE'
	$locks = [];
	$lock = function (string $name = 'wire', array $options = []) use (&$locks, $argv) {
		return $locks[$name . json_encode($options)] ??= new RedisLock($options + ['name' => $name, 'unix_socket' => $argv[1], 'ttl' => 30, 'label' => 'a:b']);
	};
	$refused = function (callable $code): mixed {
		try {
			return $code();
		} catch (LogicException $e) {
			return $e->getMessage();
		}
	};
	CODE;
$sides = [new Side('extension', $server, $lock), new Side('polyfill', $server, $lock)];
$said = [];
/* Each part with the one first, and with the other. */
foreach ([$sides, array_reverse($sides)] as [$a, $b]) {
	$redis('FLUSHALL');
	$step = function (string $name, mixed ...$values) use (&$said, $a): void {
		$said[$a->name][] = "$name: " . json_encode($values);
	};
	$step('excludes', $a->do('$lock()->acquire()'), $b->do('$lock()->acquire()'), $b->do('$lock()->acquire(0.3)'));
	$holder = $b->do('$lock()->holder()');
	$step('is seen', $holder['token'] === $redis('GET', 'wire'), $holder['host'] === gethostname(), $holder['pid'] === $a->php->pid, $holder['label'],
		preg_match('/^rlk1:[\w.-]+:\d+:a%3ab:[0-9a-f]{32}$/', $holder['token']));

	$b->begin('$lock()->acquire(30)');
	await_queue($redis, 1);
	$step('is waited for', $a->do('$lock()->holder()["waited"]'));
	$freed = now();
	$a->do('$lock()->release()');
	$step('woken', $b->end(), taken($freed) < WOKEN, $b->do('[$lock()->isAcquired(), $lock()->remaining() > 20, $lock()->release()]'));

	/* Nobody checks: only the release can have woken. */
	$a->do('$lock()->acquire()');
	no_checks($redis, 'wire');
	$b->begin('$lock()->acquire(30)');
	await_queue($redis, 1);
	$freed = now();
	$a->do('$lock()->forceRelease()');
	$step('woken by force', $b->end(), taken($freed) < WOKEN, $a->do('$lock()->acquire()'), $b->do('$lock()->release()'));

	$a->do('$lock()->acquire()');
	$token = $a->do('$lock()->detach()');
	$step('handed on', $b->do('($taken = RedisLock::restore(["unix_socket" => $argv[1]], "wire", ' . var_export($token, true) . '))->keepAlive(20)'),
		$b->do('[$taken->isHeld(), $taken->release()]'), $a->do('$lock()->acquire() && $lock()->release()'));

	$step('without end', $a->do('$lock("endless", ["ttl" => 0])->acquire()'), $a->do('$lock("endless")->acquire(INF)'), $a->do('$lock("endless", ["ttl" => 0])->release()'),
		$a->do('[$lock("endless")->acquire(INF), $lock("endless")->release()]'));

	$fence = ['fence' => true];
	$step('numbers', ...array_map(fn (Side $side) => $side->do('$lock("fenced", ["fence" => true])->acquire() ? [$lock("fenced", ["fence" => true])->getFence(), $lock("fenced", ["fence" => true])->release()] : 0'),
		[$a, $b, $b, $a]));

	$step('rests', $a->do('$lock("rests", ["hold_at_least" => 30])->acquire() && $lock("rests", ["hold_at_least" => 30])->release()'),
		$b->do('[$lock("rests")->acquire(), $lock("rests")->holder()["resting"], $lock("rests")->holder()["label"]]'));

	$permits = '$lock("many", ["permits" => 3, "weight" => 2])';
	$one = '$lock("many", ["permits" => 3])';
	$step('permits', $a->do("{$permits}->acquire()"), $b->do("{$permits}->acquire()"), $b->do("{$one}->acquire()"), $a->do("{$one}->acquire()"),
		array_diff([$a->php->pid, $b->php->pid], $b->do('array_column($lock("many")->holders(), "pid")')) === []);
	$b->begin("{$permits}->acquire(30)");
	wait_until(fn () => $redis('EXISTS', '{many}:rlk:turn') === 1);
	await_queue($redis, 1);
	$step('a wait for weight', $a->do("{$permits}->release()"), $b->end(), $b->do("[{$permits}->release(), {$one}->release()]"), $redis('EXISTS', 'many'));

	$step('permits of lock()', $a->do('($own = $lock("own"))->lock("own", RedisLock::NONBLOCKED, ["permits" => 3, "weight" => 3])'),
		$a->do('[$refused($own->upgrade(...)), $refused($own->downgrade(...)), $own->release()]'), $redis('EXISTS', 'own'),
		$a->do('($own = $lock("own", ["permits" => 3]))->lock("own", RedisLock::NONBLOCKED, ["permits" => 1])'),
		$a->do('[$refused($own->upgrade(...)), $refused($own->downgrade(...)), $own->release()]'));

	$shared = '$lock("shared", ["shared" => true])';
	$step('readers', $a->do("{$shared}->acquire()"), $b->do("{$shared}->acquire()"), $a->do("{$shared}->upgrade()"), $b->do("{$shared}->release()"), $a->do("{$shared}->upgrade()"),
		$b->do("{$shared}->acquire()"), $a->do("{$shared}->downgrade()"), $b->do("{$shared}->acquire()"));
	$b->do("{$shared}->release()");
	$b->begin('$lock("shared")->acquire(30)');
	await_queue($redis, 1);
	$step('a writer waits', $a->do("{$shared}->release()"), $b->end(), $a->do("{$shared}->acquire()"), $b->do('$lock("shared")->release()'));
}
echo implode("\n", $said['extension']), "\n", $said['extension'] === $said['polyfill'] ? 'the other way round: the same' : implode("\n", $said['polyfill']), "\n";
?>
--EXPECT--
excludes: [true,false,false]
is seen: [true,true,true,"a:b",1]
is waited for: [true]
woken: [true,true,[true,true,true]]
woken by force: [true,true,false,true]
handed on: [true,[true,true],true]
without end: [true,"LogicException: lock \"endless\" is held by another object of this process, for which waiting without limit would never end; see \"reentrant\"",true,[true,true]]
numbers: [[1,true],[2,true],[3,true],[4,true]]
rests: [true,[false,true,"a:b"]]
permits: [true,false,true,false,true]
a wait for weight: [true,true,[true,true],0]
permits of lock(): [true,["lock \"own\" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can","lock \"own\" has permits: it can be neither upgraded nor downgraded, as a lock that is shared can",true],0,true,[true,true,true]]
readers: [true,true,false,true,true,false,true,true]
a writer waits: [true,true,false,true]
the other way round: the same
