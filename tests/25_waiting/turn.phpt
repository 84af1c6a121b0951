--TEST--
acquire(): whoever may not block is served beside a queue, and the queue goes on
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$redis('ACL', 'SETUSER', 'polls', 'on', '>secret', '~*', '+@all', '-blpop');
/* While the lock is held, another one always waits: nobody who polls finds it free. */
$queue = [];
for ($i = 0; $i < 4; $i++) {
	$queue[] = Php::program(__DIR__ . '/turn.inc', [$s->socket]);
}
foreach ($queue as $process) {
	$process->await('began');
}
$held = fn () => (int) $redis('GET', 'turn:held');
$lock = new RedisLock($s->options(['name' => 'turn', 'username' => 'polls', 'password' => 'secret']));
$turns = 0;
for ($i = 0; $i < 2; $i++) {
	$before = $held();
	if (!$lock->acquire(20)) {
		break;
	}
	$turns++;
	echo 'others had it meanwhile: ', json_encode($held() > $before), "\n";
	$before = $held();
	$lock->release();
	/* They wait for long: were nobody woken, nobody would go on for a second. */
	$began = now();
	wait_until(fn () => $held() > $before + 5);
	expect_taken('the queue goes on after', $began, 0, 0.9);
}
echo "turns: $turns\n";
foreach ($queue as $process) {
	$process->tell('end');
	echo $process->rest();
}
?>
--EXPECT--
others had it meanwhile: true
the queue goes on after: ok
others had it meanwhile: true
the queue goes on after: ok
turns: 2
