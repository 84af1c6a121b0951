--TEST--
A process that ends stays until the server has read its release: one that cannot write an answer before that reads no further
--EXTENSIONS--
redislock
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/timing.inc';

$servers = servers(2, false);
$code = 'try { $_ = $lock->acquire(); $lock->release(); } catch (RedisLock\ConnectionException) {} echo hrtime(true), "\n";';
$held = '$held = []; for ($i = 0; $i < 3; $i++) {
		$held[$i] = new RedisLock(json_decode($argv[2], true), ["name" => "held$i", "renew" => true]); $_ = $held[$i]->acquire();
	} echo "held\n"; fgets(STDIN);';
$ways = ['one server, silent for too long' => $code, 'one of three' => $code, 'after other releases have taken long' => "$held \$held = []; $code",
	'by another program' => "$held $code \$held[0]->exec('/bin/true');"];
foreach ($ways as $way => $code) {
	$verdict = ends_before_answer('ends', function (FakeServer $fake) use ($way, $code, $servers) {
		$options = $way === 'one of three' ? ['servers' => [...addresses($servers), ['path' => $fake->socket]], 'read_timeout' => 10] : $fake->options(['read_timeout' => 0.1]);
		$php = new Php('$lock = new RedisLock(json_decode($argv[1], true) + ["name" => "ends"]);' . $code,
			[json_encode($options), json_encode($servers[0]->options(['ttl' => 30]))]);
		if (str_contains($code, 'held')) {
			$php->await('held');
			str_contains($code, 'exec') || $servers[0]->freeze();
			$php->tell('');
		}
		return $php;
	});
	$servers[0]->thaw();
	wait_until(fn () => $servers[0]->client()('KEYS', 'held*') === []);
	echo "$way: $verdict";
}
?>
--EXPECT--
one server, silent for too long: played
one of three: played
after other releases have taken long: played
by another program: played
