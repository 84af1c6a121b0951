<?php
/*
 * memory.php: see memory.sh. Arguments: the library to preload, and the command that runs PHP with the module.
 */
require __DIR__ . '/../inc/redislock.inc';

const CODE = <<<'CODE'
<?php
function attempt(callable $use): void
{
	try {
		$use();
	} catch (RedisLock\Exception $e) { /* out of memory, mostly */
	} catch (LogicException $e) { /* "is not held", since the lock was not acquired */
	}
}
$single = ['unix_socket' => $argv[1], 'ttl' => 5];
$several = ['servers' => ["unix://$argv[1]", "unix://$argv[2]", "unix://$argv[3]"], 'ttl' => 5];
$cluster = ['cluster' => ["127.0.0.1:$argv[4]"], 'ttl' => 5];
attempt(function () use ($single) {
	$lock = new RedisLock($single + ['name' => 'one', 'fence' => true]);
	$lock->acquire() && $lock->keepAlive();
	$lock->holder();
	$_ = (new RedisLock($single + ['name' => 'one']))->acquire(0.02);
	$restored = RedisLock::restore($single, 'one', $lock->detach());
	$restored->isAcquired() && $restored->release();
});
attempt(fn () => (new RedisLock($single + ['name' => 'run']))->synchronized(fn () => null));
foreach ([$single, $several, $cluster] as $options) {
	attempt(function () use ($options) {
		$lock = new RedisLock($options + ['name' => 'bound', 'renew' => true, 'linger' => 1]);
		$lock->acquire(0.1) && $lock->keepAlive() && $lock->release();
	});
	attempt(function () use ($options) {
		$lock = new RedisLock($options + ['name' => 'lease']);
		$lock->acquire(0.1) && $lock->holder() && $lock->release();
		$lock->lock('other') && $lock->lock('third');
	});
}
echo "done\n";
CODE;

[, $preload] = $argv;
$command = array_slice($argv, 2);
$servers = [new Server, new Server, new Server];
$node = new Server(true, '--cluster-enabled', 'yes');
$node->client()('CLUSTER', 'ADDSLOTS', ...range(0, 16383));
wait_until(fn () => str_contains($node->client()('CLUSTER', 'INFO'), 'cluster_state:ok'));
$clients = array_map(fn ($server) => $server->client(), [...$servers, $node]);
file_put_contents("{$servers[0]->dir}/code.php", CODE);
$run = [...$command, "{$servers[0]->dir}/code.php", ...array_map(fn ($server) => $server->socket, $servers), $node->port];
$failed = 0;
for ($k = 0, $count = PHP_INT_MAX; $k <= $count; $k++) {
	foreach ($clients as $client) {
		$client('FLUSHALL');
	}
	$process = proc_open(['timeout', '60', ...$run], [1 => ['pipe', 'w'], 2 => ['redirect', 1]], $pipes, null,
		['LD_PRELOAD' => $preload, 'FAIL_AT' => (string) $k, 'USE_ZEND_ALLOC' => '1'] + getenv());
	$said = stream_get_contents($pipes[1]);
	$status = proc_close($process);
	if ($k === 0) {
		$count = preg_match('/^(\d+) allocations$/m', $said, $match) ? (int) $match[1] : 0;
	}
	if ($status !== 0 || !str_contains($said, "done\n") || str_contains($said, 'not freed') || $count < 100) {
		echo "memory.sh: allocation $k: status $status: $said\n";
		$failed++;
	}
}
echo "$count allocations, $failed failed otherwise than by an exception\n";
exit($failed > 0 ? 1 : 0);
