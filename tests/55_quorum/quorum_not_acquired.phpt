--TEST--
Quorums: NotAcquiredException and ConnectionException tell what each server said, and who holds it
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$servers = servers(5, false);
$config = ['servers' => addresses($servers), 'name' => 'quorum_not_acquired'];
$shown = function (RedisLock\Exception $e) use ($servers) {
	echo get_class($e), ': ', preg_replace('~unix://\S*/s~', 'unix://...', $e->getMessage()), "\n";
	foreach (array_values($e->getNodes()) as $i => $text) {
		echo array_keys($e->getNodes())[$i] === "unix://{$servers[$i]->socket}" ? "  $i " : '  ? ', $text, "\n";
	}
};
/* Servers have 50 ms to say who has it. */
$try = function (array $more = []) use ($config, $shown) {
	$shown(unless_stalled(function () use ($config, $more) {
		try {
			echo SequenceTask::execute($config + $more, fn () => 'done'), "\n";
		} catch (RedisLock\Exception $e) {
			return $e;
		}
	}, fn ($e) => !$e instanceof RedisLock\NotAcquiredException || !in_array('no answer yet', $e->getNodes(), true)));
};

$held = new RedisLock($config);
$_ = $held->acquire();
$servers[1]->kill();
/* One of them is somebody else's, and one has nothing. */
$servers[2]->client()('SET', 'quorum_not_acquired', 'foreign');
$servers[3]->client()('DEL', 'quorum_not_acquired');
$servers[0]->client()('CONFIG', 'SET', 'maxmemory', '1');
$try();
/* The two that have it are no majority. */
$servers[0]->client()('CONFIG', 'SET', 'maxmemory', '0');
$servers[3]->kill();
$servers[4]->kill();
$try();
$config['password'] = 'x';
$try(['timeout' => 1]);
?>
--EXPECTF--
RedisLock\NotAcquiredException: lock "quorum_not_acquired": held by somebody else
  0 held by this process itself; see "reentrant"
  1 cannot connect: No such file or directory
  2 held by somebody else, without expiry
  3 free
  4 held by this process itself; see "reentrant"
RedisLock\ConnectionException: lock "quorum_not_acquired": no majority of the servers, %d of 5 failed: cannot connect: No such file or directory (unix://...)
  0 no answer yet
  1 cannot connect: No such file or directory
  2 no answer yet
  3 cannot connect: No such file or directory
  4 cannot connect: No such file or directory
RedisLock\ConnectionException: lock "quorum_not_acquired": no majority of the servers, %d of 5 failed: cannot connect: No such file or directory (unix://...)
  0 no answer yet
  1 cannot connect: No such file or directory
  2 no answer yet
  3 cannot connect: No such file or directory
  4 cannot connect: No such file or directory
