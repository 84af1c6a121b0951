--TEST--
RedisLock::setPoller(): a lock lost with its renewal child is released on several servers beside another fiber's round
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
trim((string) shell_exec('command -v prlimit')) !== '' || die('skip prlimit is not installed');
?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/quorum.inc';

/* Limits our descriptors, from another process: with too few of them no child can be started. */
$limiter = new Php('while (($count = fgets(STDIN)) !== false) {
	passthru("prlimit --pid=$argv[1] --nofile=" . trim($count) . ":", $status);
	echo "status $status\n";
}', [(string) getmypid()]);
$limit = function (int $count) use ($limiter) {
	$limiter->tell((string) $count);
	$limiter->await('status 0');
};

$servers = servers(3, false);
$all = fn (string $do) => array_map(fn (Server $server) => $server->$do(), $servers);
foreach ($servers as $server) {
	$server->client()('SET', 'lost_child_beside', 'foreign', 'PX', '60000');
}
$lock = new RedisLock(['servers' => addresses($servers, 60), 'name' => 'lost_child_beside']);
$_ = $lock->lock('lost_child_beside:lost', RedisLock::NONBLOCKED, ['renew' => true, 'ttl' => 60]);
$child = await_renewal_child(getmypid());

$loop = new Loop;
$loop->install();
$all('freeze');
$loop->start(function () use ($lock, &$acquired) {
	$acquired = $lock->acquire();
});
step('waits for answers', $loop->polls > 0);
$limit(3);
try {
	posix_kill($child, SIGKILL);
	wait_until(fn () => false);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
$limit(1024);
$all('thaw');
$loop->start(function () use ($lock, &$released) {
	$released = $lock->unlock('lost_child_beside:lost');
});
$loop->run();
step('released, acquired', $released, $acquired);
foreach (['lost_child_beside' => 'xxx', 'lost_child_beside:lost' => '...'] as $key => $where) {
	step($key, comes_true(fn () => where($servers, $key) === $where));
}
?>
--EXPECT--
waits for answers: true
lock "lost_child_beside:lost" was lost: the renewal child died and could not be started again
released, acquired: false, false
lost_child_beside: true
lost_child_beside:lost: true
