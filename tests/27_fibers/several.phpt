--TEST--
RedisLock::setPoller(): rounds of several servers suspend; a second fiber has connections of its own; what ends leaves no key
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/waiting.inc';

$servers = servers(3, false);
$loop = new Loop;
$loop->install();
$red = new RedLock(addresses($servers, 60), 1, 1);
$all = fn (string $do) => array_map(fn (Server $server) => $server->$do(), $servers);
$lock = fn (array $more = []) => new RedisLock(['servers' => addresses($servers, 60), 'name' => 'several', 'ttl' => 60] + $more);

/* All have stopped: three rounds are under way, of two objects. */
$all('freeze');
$loop->start(function () use ($red, &$said) {
	$lock = $red->lock('several:1', 60000);
	$said['first'] = [is_array($lock), is_array($red->extend($lock)), $red->unlock($lock)];
});
$loop->start(function () use ($red, &$said) {
	$lock = $red->lock('several:2', 60000);
	$said['second'] = [is_array($lock), $red->unlock($lock)];
});
$loop->start(function () use ($lock, &$said) {
	$lock = $lock();
	$said['third'] = [$lock->acquire(), $lock->keepAlive(50), $lock->release()];
});
step('all wait', $loop->polls >= 3);
/* One goes on, which is no majority; two are one. */
$servers[0]->thaw();
$ticks = 0;
$loop->start(function () use ($loop, &$ticks) {
	while ($ticks < 20) {
		$loop->sleep(0.001);
		$ticks++;
	}
});
$loop->run(function () use (&$ticks) {
	return $ticks === 20;
});
echo "another fiber goes on\n";
$all('thaw');
$loop->run();
foreach (['first', 'second', 'third'] as $name) {
	step($name, ...$said[$name]);
}
$object = $red->lock('several:again', 60000);
step('again, without a fiber', is_array($object), $red->unlock($object));
echo nothing_left($servers), "\n";

/* What is thrown has the answers of its own round, most of which are there by then, and not of another one of the same object. */
$all('freeze');
$asked = new RedisLock(['servers' => addresses($servers, 0.3), 'name' => 'several', 'ttl' => 60]);
$answers = [];
for ($i = 0; $i < 2; $i++) {
	$loop->start(function () use ($asked, &$answers) {
		try {
			$asked->holder();
		} catch (RedisLock\ConnectionException $e) {
			$answers[] = count(array_keys($e->getNodes(), 'no answer yet')) < 2;
		}
	});
}
$loop->run();
$all('thaw');
step('told of their own answers', ...$answers);

foreach (['lease' => [], 'process-bound' => ['renew' => true]] as $kind => $more) {
	foreach (['destroyed', 'throws', 'copied'] as $end) {
		$all('freeze');
		$fiber = $loop->start(function () use ($lock, $more) {
			$lock = $lock($more);
			try {
				$_ = $lock->acquire();
				echo "acquired\n";
			} catch (DomainException $e) {
				echo $e->getMessage(), ' ';
			}
		});
		if ($end === 'copied') {
			flush();
			if (pcntl_fork() === 0) {
				$loop->forget($fiber);
				try {
					$fiber->resume();
				} catch (RedisLock\Exception $e) {
					echo 'copy: ', $e->getMessage(), "\n";
				}
				exit;
			}
			pcntl_wait($status);
		}
		$loop->forget($fiber);
		if ($end === 'throws') {
			$fiber->throw(new DomainException('enough'));
		}
		unset($fiber);
		$all('thaw');
		echo "$kind, $end: ", nothing_left($servers), "\n";
	}
}
?>
--EXPECT--
all wait: true
another fiber goes on
first: true, true, true
second: true, true
third: true, true, true
again, without a fiber: true, true
nothing is left
told of their own answers: true, true
lease, destroyed: nothing is left
enough lease, throws: nothing is left
copy: lock "several": the wait for the servers was interrupted
lease, copied: nothing is left
process-bound, destroyed: nothing is left
enough process-bound, throws: nothing is left
copy: lock "several": the wait for the servers was interrupted
process-bound, copied: nothing is left
