--TEST--
RedisLock::setPoller(): a copy, made in the pause before a request is repeated, does not repeat it
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/fake_server.inc';

$loop = new Loop;
$pid = getmypid();
$paused = false;
RedisLock::setPoller(function (array $read, array $write, ?float $seconds) use ($loop, &$paused) {
	$paused = $paused || ($read === [] && $write === []);
	$loop->poll($read, $write, $seconds);
});

/* Acquires. The copy of the first pause does $first, and goes on until its fiber ends; then we go on. */
$acquire = function (string $node, callable $first, callable $then) use ($loop, $pid, &$paused): void {
	$lock = new RedisLock(['cluster' => [$node], 'name' => 'copy_redirected', 'ttl' => 60, 'wait' => 60, 'timeout' => 2]);
	$paused = false;
	$loop->start(function () use ($lock, $pid) {
		$who = fn () => getmypid() === $pid ? 'ours' : 'copy';
		try {
			step($who(), $lock->acquire(), $lock->isHeld());
		} catch (Throwable $e) {
			step($who(), $e->getMessage());
		}
	});
	$loop->run(function () use (&$paused) {
		return $paused;
	});
	$copy = pcntl_fork();
	if ($copy === 0) {
		$first();
		$loop->run();
		posix_kill(getmypid(), SIGKILL); /* the servers are ours */
	}
	pcntl_waitpid($copy, $status);
	$then();
	$loop->run();
	step('released', $lock->release());
};

/* A node that nobody has given the slot yet. */
$node = new Server(true, '--cluster-enabled', 'yes', '--cluster-config-file', 'nodes', '--cluster-require-full-coverage', 'no');
$slot = $node->client()('CLUSTER', 'KEYSLOT', 'copy_redirected');
$acquire("127.0.0.1:$node->port", function () use ($node, $slot) {
	$redis = $node->client();
	$redis('CLUSTER', 'ADDSLOTS', $slot);
	wait_until(fn () => $redis('SET', '{copy_redirected}:well', '') === 'OK');
}, fn () => step('keys of the copy', $node->client()('EXISTS', 'copy_redirected')));

/* In the queue: a refusal to join, and one behind the wait. */
$held = "EXPECT SET copy_redirected * NX PX 60000\nSEND \$-1\nEXPECT EVALSHA ...\n";
$down = "SEND -CLUSTERDOWN The cluster is down\n";
$joined = fn (int $got) => "SEND *4\\r\\n:$got\\r\\n:60000\\r\\n:1\\r\\n:0\n";
$extended = "EXPECT * ...\n{$joined(1)}EXPECT EVAL ...\nSEND :1\nEXPECT EVALSHA ...\nSEND :1";
foreach ([$down, "{$joined(0)}EXPECT BLPOP ...\nSEND *-1\nEXPECT SET ...\n$down"] as $refused) {
	$fake = new FakeServer($held . $refused . $extended);
	$acquire("unix:$fake->socket", fn () => null, fn () => null);
	echo $fake->verdict();
}
?>
--EXPECT--
copy: 'lock "copy_redirected": the process was forked while it waited for the server'
keys of the copy: 0
ours: true, true
released: true
copy: 'lock "copy_redirected": the process was forked while it waited for the server'
ours: true, true
released: true
played
copy: 'lock "copy_redirected": the process was forked while it waited for the server'
ours: true, true
released: true
played
