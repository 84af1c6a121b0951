--TEST--
RedisLock\LockLostException: never arrives between the arguments of a call, where PHP before 8.4 corrupts its memory
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$lost = 0;
for ($i = 0; $i < 20; $i++) {
	try {
		$config = $s->options(['name' => 'lost_amid_calls', 'ttl' => 30, 'interval' => 0.02]);
		SequenceTask::execute($config, function () use ($redis, $i) {
			$redis('DEL', 'lost_amid_calls');
			for ($end = now() + 20; strcmp(md5((string) $i), md5((string) $end)) && now() < $end;);
		});
	} catch (RedisLock\LockLostException $e) {
		$lost++;
	}
}
/* Damage done is noticed by whoever allocates next. */
for ($i = 0, $list = []; $i < 10000; $i++) {
	$list[] = md5((string) $i);
}
var_dump($lost, count($list));
?>
--EXPECT--
int(20)
int(10000)
