--TEST--
Quorums: TLS for each server or for all of them, process-bound too; never clear text where it is asked for
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/quorum.inc';
$ca = new Authority;
$tls = array_map(fn () => $ca->server($ca->issue()), range(1, 3));
$plain = new Server(true);
$admins = [...array_map(fn ($t) => $t->server, $tls), $plain];
$limits = ['timeout' => 5, 'read_timeout' => 5];
$entries = array_map(fn ($t) => $t->options(), $tls);

/* Said in each entry, beside one in clear and one that is not there. */
$red = new RedLock([$entries[0], $entries[1], ['host' => '127.0.0.1', 'port' => $plain->port],
	['host' => '127.0.0.1', 'port' => Server::freePort()]], 1, 1, $limits);
$lock = $red->lock('tls', 60000);
wait_until(fn () => substr_count(where([$admins[0], $admins[1], $plain], 'tls', $lock['token']), 'x') === 3);
echo where([$admins[0], $admins[1], $plain], 'tls', $lock['token']), "\n";
var_dump(is_array($red->extend($lock, 60000)), $red->unlock($lock));

/* Said for all of them. */
$ssl = ['ssl' => $entries[0]['ssl'] ?? []];
$hosts = array_map(fn ($e) => "127.0.0.1:{$e['port']}", $entries);
$config = ['servers' => $hosts, 'name' => 'tls'] + $ssl + $limits;
echo SequenceTask::execute(['ttl' => 30, 'interval' => 0.2] + $config, function (RedisLock $lock) use ($admins) {
	/* A majority has it, and each that has it is reached. */
	$renewed = array_filter(array_slice($admins, 0, 3), fn ($server) => is_renewed($server->client(), 'tls'));
	return $lock->isHeld() && count($renewed) >= 2 ? 'kept' : 'lost';
}), "\n";
echo outcome(fn () => new RedisLock(['servers' => ["tcp://$hosts[0]", $hosts[1], $hosts[2]]] + $ssl)), "\n";

/* A certificate that is not trusted is a server that is away. */
$other = new Authority;
$config['ssl'] = ['cafile' => $other->cafile] + $config['ssl'];
try {
	$_ = (new RedisLock($config))->acquire();
} catch (RedisLock\ConnectionException $e) {
	/* Two are enough to know that there will be no majority. */
	echo count(preg_grep('/certificate/', $e->getNodes())) >= 2 ? "certificates\n" : json_encode($e->getNodes()) . "\n";
}
echo nothing_left($admins), "\n";
?>
--EXPECTF--
xxx
bool(true)
bool(true)
kept
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: TLS is asked for, but a scheme says otherwise; it must be all of the servers or none
certificates
nothing is left
