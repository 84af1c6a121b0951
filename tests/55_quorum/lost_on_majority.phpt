--TEST--
Quorums, process-bound: lost on most of the servers, freed on the others, whoever ends it and however
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3, false);
$config = ['servers' => addresses($servers, 2), 'name' => 'most', 'ttl' => 60, 'interval' => 0.1];
$warn = fn () => comes_true(fn () => where($servers, 'most') === 'xxx');

/** Two of three lose the key. */
$delete = function () use ($servers, $warn) {
	$warn();
	$servers[0]->client()('DEL', 'most');
	$servers[1]->client()('DEL', 'most');
};
$lose = function (RedisLock $lock, string $name = 'most') use ($delete) {
	$delete();
	wait_until(fn () => !$lock->isHeld());
};
$flag = ['renew' => true, 'on_lost' => 'flag'] + $config;

function attempt(string $what, callable $run): void
{
	global $servers;
	try {
		$said = json_encode($run());
	} catch (RedisLock\LockLostException) {
		$said = 'told';
	}
	echo "$what: $said, ", nothing_left($servers), "\n";
}

attempt('release()', function () use ($flag, $lose) {
	$lock = new RedisLock($flag);
	$_ = $lock->acquire();
	$lose($lock);
	return $lock->release();
});
attempt('unlock()', function () use ($flag, $delete) {
	$lock = new RedisLock($flag);
	$lock->lock('most');
	$delete();
	/* Known, or about to be. */
	wait_until(fn () => !$lock->isHeld());
	return $lock->unlock('most');
});
attempt('keepAlive() finds out', function () use ($flag, $delete) {
	$lock = new RedisLock(['interval' => 20] + $flag);
	$_ = $lock->acquire();
	$delete();
	return [$lock->keepAlive(), $lock->release()];
});
attempt('destructor', function () use ($flag, $lose) {
	$lock = new RedisLock($flag);
	$_ = $lock->acquire();
	$lose($lock);
	$lock = null;
});
attempt('acquire() again', function () use ($flag, $lose, $servers) {
	$lock = new RedisLock($flag);
	$_ = $lock->acquire();
	$old = $lock->getToken();
	$lose($lock);
	return [$lock->acquire(), $lock->getToken() !== $old, comes_true(fn () => !str_contains(where($servers, 'most', $old), 'x')), $lock->release()];
});
attempt('execute()', fn () => SequenceTask::execute($config, function () use ($delete) {
	$delete();
	for ($end = now() + 10; now() < $end;);
}));
attempt('RedLock', function () use ($config, $delete) {
	$red = new RedLock($config['servers'], 1, 1, ['renew' => true, 'interval' => 0.1, 'on_lost' => 'flag']);
	$lock = $red->lock('most', 60000);
	$delete();
	pause(0.3, 'the child finds it out');
	return $red->unlock($lock);
});
/* The third one is away just then. */
attempt('execute(), the third server frozen', function () use ($config, $servers, $delete) {
	try {
		SequenceTask::execute($config, function () use ($servers, $delete) {
			$delete();
			$servers[2]->freeze();
			for ($end = now() + 10; now() < $end;);
		});
	} finally {
		$servers[2]->thaw();
	}
});

$code = '
$config = json_decode($argv[1], true);
try {
	SequenceTask::execute($config, function () {
		try {
			echo "in\n";
			sleep(60);
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
	attempt("the process $how", function () use ($how, $code, $config, $delete, $servers) {
		$process = new Php($code, [json_encode($config)]);
		$process->await('in');
		$delete();
		$process->await('lost');
		$child = await_renewal_child($process->pid);
		$servers[2]->freeze();
		$how === 'exits' ? $process->tell('') : $process->signal(SIGKILL);
		$process->end();
		$servers[2]->thaw();
		return comes_true(fn () => !is_running($child)) ? 'no child is left' : 'its child goes on';
	});
}
?>
--EXPECT--
release(): false, nothing is left
unlock(): false, nothing is left
keepAlive() finds out: [false,false], nothing is left
destructor: null, nothing is left
acquire() again: [true,true,true,true], nothing is left
execute(): told, nothing is left
RedLock: false, nothing is left
execute(), the third server frozen: told, nothing is left
the process exits: "no child is left", nothing is left
the process is killed: "no child is left", nothing is left
