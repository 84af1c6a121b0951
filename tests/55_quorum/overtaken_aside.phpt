--TEST--
Quorums: a shorter extension on a connection that was given up limits what a later one confirms
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
require __DIR__ . '/../inc/fake_server.inc';

$servers = servers(2);
$third = new FakeServer(<<<'SCRIPT'
	EXPECT SET job * NX PX 30000
	SAY set
	EXPECT EVAL * 1 job * 10000
	SAY shorter
	NEXT
	EXPECT PING
	SEND +PONG
	SAY back
	EXPECT EVAL * 1 job * 30000
	SEND :1
	WAIT
	SCRIPT);
$lock = new RedisLock(['servers' => [...addresses($servers), $third->options(['timeout' => 2, 'read_timeout' => 2])], 'name' => 'job',
	'ttl' => 30]);
var_dump($lock->acquire());
$third->await('set');
var_dump($lock->keepAlive(10));
$third->await('shorter');
$servers[1]->kill();
pause(2.1, 'the third is given up then');
wait_until(function () use ($lock) {
	try {
		return $lock->keepAlive(30);
	} catch (RedisLock\ConnectionException) {
		pause(0.15, 'it is tried again then');
		return false;
	}
});
$third->await('back');
/* The shorter one may still arrive there. */
var_dump($lock->isHeld(), $lock->remaining() <= 10);
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
