--TEST--
TLS with a Cluster: found, waited for, kept and freed over it alone, by address, by host name and by peer_name
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls(); skip_unless_server_knows_names('7.0');
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/waiting.inc';
require_once __DIR__ . '/../inc/outcome.inc';
$ca = new Authority;
$all = new Cluster('--tls-cluster', 'yes', '--tls-replication', 'yes', '--cluster-announce-hostname', 'localhost',
	...$ca->arguments($ca->issue(['IP:127.0.0.1'])));
$name = $all->name('tls_cluster', 0);
$slot = $all->slot($name);
$move = function (int $from, int $to) use ($all, $slot) {
	$all->beginMove($slot, $from, $to);
	$all->endMove($slot, $from, $to);
};
$options = fn (array $more = [], array $ssl = []) => $all->options($more + ['name' => $name, 'ttl' => 30,
	'ssl' => $ssl + ['cafile' => $ca->cafile]], [1]);

echo "by address\n";
$lock = new RedisLock($options());
var_dump($lock->acquire(), $all->client($name)('GET', $name) === $lock->getToken());
no_checks($all->client($name), $name);
$waiter = new Waiter($options(), 30);
await_queue($all->nodes[0]->client(), 1);
[$left, $done] = [now(), $lock->release()];
var_dump($done && $waiter->got() - $left < WOKEN, $waiter->do('release'));

$kept = function (array $options) use ($all, $name, $move) {
	$lock = new RedisLock($options + ['interval' => 0.2, 'renew' => true]);
	$done = [$lock->acquire()];
	$move(0, 2);
	array_push($done, is_renewed($all->nodes[2]->client(), $name), $lock->isHeld(), $lock->release());
	$move(2, 0);
	echo implode(' ', array_map(intval(...), $done)), "\n";
};
$kept($options());

$holder = new Php('
	$lock = new RedisLock(unserialize($argv[1]));
	echo $lock->acquire() ? "held\n" : "no\n";
	sleep(30);
', [serialize($options(['renew' => true, 'client_name' => 'holder']))]);
$holder->await('held');
$redis = $all->nodes[0]->client();
await_renewal_child($holder->pid);
$killed = now();
$holder->signal(SIGKILL);
wait_until(fn () => $redis('EXISTS', $name) === 0);
expect_taken('freed', $killed, 0, 1);

echo "not accepted\n";
$try = function (array $options) {
	try {
		return (new RedisLock($options))->acquire();
	} catch (RedisLock\ConnectionException $e) {
		return preg_match('/not accepted|not for "\w+"/', $e->getMessage(), $m) ? $m[0] : $e->getMessage();
	}
};
each_outcome([
	'other authority' => $options(['timeout' => 2.1], ['cafile' => (new Authority)->cafile]),
	'other name' => $options(['timeout' => 2.2], ['peer_name' => 'elsewhere']),
], $try);

/* The nodes are known by name, and their certificates have nothing else: neither we nor the child can do with addresses. */
$named = $ca->issue(['DNS:localhost']);
foreach ($all->nodes as $node) {
	$node->client()('CONFIG', 'SET', 'tls-cert-file', $named->cert, 'tls-key-file', $named->key,
		'cluster-preferred-endpoint-type', 'hostname');
}
wait_until(fn () => str_contains($all->nodes[1]->client()('GET', $name), ' localhost:'));
echo "by name\n";
$kept(['cluster' => ["localhost:{$all->ports[1]}"]] + $options(['timeout' => 2.3]));
foreach ($all->nodes as $node) {
	$node->client()('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip');
}
wait_until(fn () => str_contains($all->nodes[1]->client()('GET', $name), ' 127.0.0.1:'));
echo "by peer_name\n";
$kept($options(['timeout' => 2.4], ['peer_name' => 'localhost']));
?>
--EXPECT--
by address
bool(true)
bool(true)
bool(true)
bool(true)
1 1 1 1
freed: ok
not accepted
other authority: 'not accepted'
other name: 'not for "elsewhere"'
by name
1 1 1 1
by peer_name
1 1 1 1
