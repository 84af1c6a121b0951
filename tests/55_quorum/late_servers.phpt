--TEST--
Quorums: servers that are late end no wait, and what is under way elsewhere or of other locks refuses nothing
--EXTENSIONS--
posix
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../chaos/Proxy.php';

$servers = servers(3);
/* Only those that are to freeze have a short limit; that of the first is for what is waited out, too. */
$params = fn (int $frozen) => ['servers' => [...addresses(array_slice($servers, 0, $frozen), 0.1),
	...addresses(array_slice($servers, $frozen))], 'ttl' => 20];

echo "-- a majority pauses\n";
$lock = new RedisLock($params(2) + ['name' => 'late_servers']);
$release = fn () => is_released($lock->release(...), fn () => where($servers, 'late_servers') === '...');
var_dump($lock->acquire(20), $release());
$servers[0]->freeze();
$servers[1]->freeze();
$thaw = new Php('fgets(STDIN); pause(0.6, "the others wait in vain meanwhile"); posix_kill((int) $argv[1], SIGCONT); posix_kill((int) $argv[2], SIGCONT);',
	[(string) $servers[0]->pid, (string) $servers[1]->pid]);
$thaw->tell('go');
var_dump($lock->acquire(20), $release());

echo "-- one dies with what it owes to others\n";
$others = new RedisLock($params(1) + ['name' => 'late_servers:others']);
$servers[0]->freeze();
for ($i = 0; $i < 6; $i++) {
	$others->lock("late_servers:$i");
	$others->unlock("late_servers:$i");
}
pause(0.15, 'it is given up then');
$others->lock('late_servers:again');
$others->unlock('late_servers:again');
$servers[0]->kill();
$one = new Server;
foreach ([$one->options(['name' => 'late_servers:one']), $params(1) + ['name' => 'late_servers:own']] as $options) {
	var_dump((new RedisLock($options))->acquire());
}

echo "-- owed for a lock that another object took\n";
$servers = servers(3);
$proxy = new Proxy($servers[2]->port);
$addresses = [['127.0.0.1', $servers[0]->port, 5], ['127.0.0.1', $servers[1]->port, 5], ['127.0.0.1', $proxy->port, 0.1]];
$first = new RedLock($addresses);
$lock = null;
wait_until(function () use ($first, $servers, &$lock) {
	$lock === null || $first->unlock($lock);
	$lock = $first->lock('x', 30000);
	return comes_true(fn () => where($servers, 'x') === 'xxx', 0.3);
});
$proxy->tell('refuse');
$proxy->tell('leave client');
$second = new RedLock($addresses);
var_dump($second->unlock($lock));
$proxy->tell('accept');
echo comes_true(function () use ($second, $servers) {
	/* It may fail: who owed an answer before is not waited for long. */
	outcome(fn () => $second->unlock($second->lock('y', 1000)));
	return where($servers, 'x') === '...';
}) ? 'freed' : where($servers, 'x'), "\n";
?>
--EXPECT--
-- a majority pauses
bool(true)
bool(true)
bool(true)
bool(true)
-- one dies with what it owes to others
bool(true)
bool(true)
-- owed for a lock that another object took
bool(true)
freed
