--TEST--
RedisLock::setPoller(): a copy of the process, made while fibers wait, leaves their locks alone
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/waiting.inc';

$server = new Server;
$redis = $server->client();
$loop = new Loop;
$loop->install();
$options = $server->options(['name' => 'copy', 'ttl' => 60, 'wait' => 60]);
$redis('SET', 'copy', 'another');
$held = new RedisLock($server->options(['name' => 'copy:held', 'ttl' => 60, 'renew' => true]));
$_ = $held->acquire();
$pid = getmypid();
/* Which of our fibers goes on first is chance. */
$ours = [];
$say = function (string $name, mixed $value) use ($pid, &$ours) {
	if ($pid === getmypid()) {
		$ours[] = "$name " . json_encode($value);
	} else {
		step("copy: $name", $value);
	}
};
$waits = function (RedisLock $lock) use ($say) {
	try {
		$say('acquired', $lock->acquire());
	} catch (Throwable $e) {
		$say('thrown', $e->getMessage());
	}
	return $lock;
};
$loop->start(fn () => $waits(new RedisLock($options))->release());
$loop->start(fn () => $waits(new RedisLock(['renew' => true] + $options))->release());
$loop->run(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:2'));
$server->freeze();
$loop->start(fn () => $say('extended', $held->keepAlive(50)));
$loop->start(fn () => $waits(new RedisLock($server->options(['name' => 'copy:set']))));

/* In the copy one fiber is destroyed, the others go on. */
if (pcntl_fork() === 0) {
	$loop->forget($loop->fibers[0]);
	foreach ($loop->fibers as $fiber) {
		$loop->forget($fiber);
		try {
			$fiber->resume();
		} catch (Throwable $e) {
			$say('uncaught', $e->getMessage());
		}
	}
	exit;
}
pcntl_wait($status);
step('the copy has ended', pcntl_wifexited($status) && pcntl_wexitstatus($status) === 0);
$server->thaw();
$loop->run(fn () => $redis('GET', 'copy') === 'another' && $redis('DEL', 'copy'));
$loop->run();
sort($ours);
echo implode(', ', $ours), "\n";
step('ours', $held->isAcquired(), str_starts_with($redis('GET', 'copy:set'), 'rlk1'), $redis('EXISTS', 'copy'));
?>
--EXPECTF--
copy: thrown: 'lock "copy": the process was forked while it waited for the lock'
copy: extended: false
copy: thrown: 'lock "copy:set": the process was forked while it waited for the server (unix:///%s/s)'
the copy has ended: true
acquired true, acquired true, acquired true, extended true
ours: true, true, 0
