--TEST--
Cluster: a check of the node that has lost the slot does not disturb who waits at the other one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/fake_server.inc';
$name = 'cluster_moved_check';
$helpers = '{' . $name . '}:rlk';
[$first, $second] = [Server::freePort(), Server::freePort()];
$moved = "SEND -MOVED 10079 127.0.0.1:$second";
/* The check is on its way when the waiter is told that the slot has moved, and is answered while it joins the other queue. */
$was = new FakeServer("
	EXPECT SET $name * NX PX 60000
	SEND \$-1
	EXPECT EVALSHA * 6 $name $helpers:waiters $helpers:signal $helpers:turn $helpers:turn:rlk:waiters $helpers:turn:rlk:signal * 2000  * *
	SEND *4\\r\\n:0\\r\\n:9000\\r\\n:1\\r\\n:1
	EXPECT BLPOP $helpers:signal *
	EXPECT SET $name * NX PX 2000
	NEXT
	EXPECT EVAL * 6 $name $helpers:waiters ...
	BACK
	$moved
	$moved
	BACK
	WAIT
	$moved
	EXPECT-CLOSE", $first);
$is = new FakeServer("
	EXPECT EVALSHA * 6 $name $helpers:waiters $helpers:signal $helpers:turn $helpers:turn:rlk:waiters $helpers:turn:rlk:signal * 2000  * *
	SAY joins
	WAIT
	SEND *4\\r\\n:1\\r\\n:0\\r\\n:0\\r\\n:0
	EXPECT EVAL * 1 $name * 60000
	SEND :1
	EXPECT EVALSHA * 3 $name $helpers:waiters $helpers:signal *
	SEND :1
	SILENCE", $second);
$php = new Php('$lock = new RedisLock(unserialize($argv[1]));
	var_dump($lock->acquire(30), $lock->release());', [serialize(['cluster' => ["127.0.0.1:$first", "127.0.0.1:$second"],
	'name' => $name, 'ttl' => 60, 'persistent' => false, 'read_timeout' => 20])]);
$is->await('joins');
$was->tell();
echo $was->verdict();
$is->tell();
echo $php->rest(), $is->verdict();
?>
--EXPECT--
played
bool(true)
bool(true)
played
