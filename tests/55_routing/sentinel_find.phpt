--TEST--
Sentinel: finding the master, past sentinels that are dead, mute, behind, or know nothing
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/fake_server.inc';
require_once __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/timing.inc';
$all = new Sentinels(1, 2, 'servers', 'watchers');
[$first, $second] = $all->sentinels;
$port = $all->servers[0]->port;
$list = ["127.0.0.1:$first->port", "127.0.0.1:$second->port"];

/* $params: or what makes them. */
$try = function (array|string|Closure $params, array $options = [], float $least = 0) use ($all) {
	$name = 'sentinel_find';
	$all->client($all->servers[0])('DEL', $name);
	$given = $params instanceof Closure ? $params() : $params;
	$began = now();
	$got = outcome(function () use ($given, $options, $name, $all) {
		$lock = new RedisLock($given, $options + ['name' => $name]);
		return [$lock->acquire(), $all->client($all->servers[0])('GET', $name) === $lock->getToken(), $lock->release()] ===
			[true, true, true];
	});
	/* Whoever is frozen takes its share of the time, less only what the machine took of more than that. */
	$took = taken($began, null, $least);
	$in = $took < 0.25 ? 'no time' : ($took < 1.3 ? 'time' : 'too long');
	$got = str_replace(['127.0.0.1:' . $all->sentinels[0]->port, '127.0.0.1:' . $all->sentinels[1]->port,
		'127.0.0.1:' . $all->servers[0]->port, '127.0.0.1:' . $all->servers[1]->port], ['FIRST', 'SECOND', 'MASTER', 'REPLICA'], $got);
	echo "$got in $in\n";
};
echo "every spelling\n";
$secrets = ['password' => 'servers', 'sentinel_password' => 'watchers', 'service' => 'mymaster'];
$try(['sentinels' => $list] + $secrets);
$try(['sentinels' => [['host' => '127.0.0.1', 'port' => $first->port, 'password' => 'watchers'], "tcp://:watchers@$list[1]"],
	'sentinel_password' => null] + $secrets);
$try("redis://:servers@$list[0]?service=mymaster", ['sentinel_password' => 'watchers']);
$try(['host' => '127.0.0.1', 'port' => $second->port, 'database' => '0'] + $secrets);

echo "trouble\n";
$limit = ['timeout' => 1, 'read_timeout' => 1];
$try($all->options(['service' => 'nobody'] + $limit));
$try($all->options(['sentinel_password' => 'wrong'] + $limit));
$try($all->options(['password' => 'wrong'] + $limit));
$dead = '127.0.0.1:' . Server::freePort();
$try($all->options(['sentinels' => [$dead, ...$list]] + $limit));
$first->freeze();
$try($all->options($limit), [], 0.25); /* it takes its share of the time, once */
$try($all->options($limit));
$first->thaw();

echo "a sentinel that names a replica\n";
$replica = (string) $all->servers[1]->port;
$named = '*2\r\n$9\r\n127.0.0.1\r\n$' . strlen($replica) . '\r\n' . $replica;
$behind = function () use ($named, &$fake) {
	$fake = new FakeServer("
		EXPECT AUTH watchers
		SEND +OK
		EXPECT SENTINEL get-master-addr-by-name mymaster
		SEND $named
		EXPECT-CLOSE
		GONE");
	return "unix:$fake->socket";
};
$try(fn () => $all->options(['sentinels' => [$behind(), ...$list]] + $limit));
echo $fake->verdict();
$try(fn () => $all->options(['sentinels' => [$behind()]] + ['timeout' => 0.2]));
?>
--EXPECTF--
every spelling
true in no time
true in no time
true in no time
true in no time
trouble
RedisLock\ConnectionException: lock "sentinel_find": the sentinel watches no master named "nobody" (tcp://FIRST) in no time
RedisLock\ConnectionException: lock "sentinel_find": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://SECOND) in no time
RedisLock\ConnectionException: lock "sentinel_find": the server refused the credentials: WRONGPASS invalid username-password pair%S (tcp://MASTER) in no time
true in no time
true in time
true in no time
a sentinel that names a replica
true in no time
played
RedisLock\ConnectionException: lock "sentinel_find": %s in no time
