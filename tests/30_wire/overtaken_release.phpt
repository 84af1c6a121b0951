--TEST--
A release that arrives late: isAcquired() and keepAlive() do not confirm what it is about to end
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../chaos/Proxy.php';

$try = function (callable $do): string {
	try {
		return var_export($do(), true);
	} catch (RedisLock\ConnectionException) {
		return 'no answer';
	}
};
$behind = fn (Proxy $proxy): array => ['host' => '127.0.0.1', 'port' => $proxy->port, 'timeout' => 0.2, 'read_timeout' => 0.2];
$server = new Server(true);
$servers = servers(3);
$proxies = array_map(fn ($server) => new Proxy($server->port), [$server, $servers[1], $servers[2]]);
$locks = [
	'one server' => [new RedisLock($behind($proxies[0]) + ['name' => 'job', 'ttl' => 30]), [$server]],
	'a quorum' => [new RedisLock(['servers' => [...addresses([$servers[0]], 0.2), $behind($proxies[1]), $behind($proxies[2])],
		'name' => 'job', 'ttl' => 30]), $servers],
];
foreach ($locks as [$lock, $on]) {
	wait_until(function () use ($lock, $on, $try) {
		if ($try(fn () => $lock->acquire()) === 'true' && $try(fn () => $lock->isAcquired()) === 'true' &&
			comes_true(fn () => where($on, 'job', $lock->getToken()) === str_repeat('x', count($on)), 0.1)) {
			return true;
		}
		$try(fn () => $lock->release());
		return false;
	});
}
/* Those behind a proxy have answered all: one that still owes an answer is asked over another connection, which does not lag. */
$servers[0]->freeze();
wait_until(fn () => $try(fn () => $lock->isAcquired()) === 'true');
$servers[0]->thaw();
array_map(fn ($proxy) => $proxy->tell('delay 3000'), $proxies);
foreach ($locks as $what => [$lock]) {
	echo "$what: ", $try(fn () => $lock->release()), "\n";
}
/* From here on others overtake it. */
array_map(fn ($proxy) => $proxy->tell('delay 0'), $proxies);
foreach ($locks as $what => [$lock]) {
	echo "$what, isAcquired: ", $try(fn () => $lock->isAcquired()), "\n";
	echo "$what, keepAlive: ", $try(fn () => $lock->keepAlive(30)), "\n";
}
foreach ($locks as $what => [$lock, $on]) {
	wait_until(fn () => !str_contains(where($on, 'job'), 'x'));
	wait_until(function () use ($lock, $try, &$found) {
		$found = $try(fn () => $lock->isAcquired());
		return $found !== 'no answer';
	});
	echo "$what, when it has arrived: ", $found, "\n";
}
?>
--EXPECT--
one server: no answer
a quorum: no answer
one server, isAcquired: no answer
one server, keepAlive: no answer
a quorum, isAcquired: no answer
a quorum, keepAlive: no answer
one server, when it has arrived: false
a quorum, when it has arrived: false
