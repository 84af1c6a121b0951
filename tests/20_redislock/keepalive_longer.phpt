--TEST--
RedisLock::keepAlive(): exactly the ttl given, also where the key had more, by an earlier call without an answer or by somebody else
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$name = 'keepalive_longer';
$cases = [
	'a lease' => $server->options(),
	'process-bound' => $server->options(['renew' => true, 'interval' => 3]),
	'a quorum' => ['servers' => ["unix://$server->socket?timeout=5&read_timeout=5"]],
	'a token of its own' => $server->options(['token' => 'mine']),
];
foreach ($cases as $case => $options) {
	echo "$case\n";
	$lock = new RedisLock($options + ['name' => $name, 'ttl' => 10]);
	var_dump($lock->acquire());
	foreach (['longer' => fn () => $redis('PEXPIRE', $name, 600_000), 'for ever' => fn () => $redis('PERSIST', $name)] as $what => $make) {
		foreach ([null, 20, 10, 10] as $ttl) {
			$make();
			var_dump($lock->keepAlive($ttl));
			expect_between("$what, " . ($ttl ?? 'as before'), $redis('PTTL', $name), ($ttl ?? 10) * 1000 - 5000, ($ttl ?? 10) * 1000);
		}
	}
	var_dump($lock->isHeld(), $lock->remaining() <= 10, $lock->release(), $lock->keepAlive(), $redis('EXISTS', $name));
}
?>
--EXPECT--
a lease
bool(true)
bool(true)
longer, as before: ok
bool(true)
longer, 20: ok
bool(true)
longer, 10: ok
bool(true)
longer, 10: ok
bool(true)
for ever, as before: ok
bool(true)
for ever, 20: ok
bool(true)
for ever, 10: ok
bool(true)
for ever, 10: ok
bool(true)
bool(true)
bool(true)
bool(false)
int(0)
process-bound
bool(true)
bool(true)
longer, as before: ok
bool(true)
longer, 20: ok
bool(true)
longer, 10: ok
bool(true)
longer, 10: ok
bool(true)
for ever, as before: ok
bool(true)
for ever, 20: ok
bool(true)
for ever, 10: ok
bool(true)
for ever, 10: ok
bool(true)
bool(true)
bool(true)
bool(false)
int(0)
a quorum
bool(true)
bool(true)
longer, as before: ok
bool(true)
longer, 20: ok
bool(true)
longer, 10: ok
bool(true)
longer, 10: ok
bool(true)
for ever, as before: ok
bool(true)
for ever, 20: ok
bool(true)
for ever, 10: ok
bool(true)
for ever, 10: ok
bool(true)
bool(true)
bool(true)
bool(false)
int(0)
a token of its own
bool(true)
bool(true)
longer, as before: ok
bool(true)
longer, 20: ok
bool(true)
longer, 10: ok
bool(true)
longer, 10: ok
bool(true)
for ever, as before: ok
bool(true)
for ever, 20: ok
bool(true)
for ever, 10: ok
bool(true)
for ever, 10: ok
bool(true)
bool(true)
bool(true)
bool(false)
int(0)
