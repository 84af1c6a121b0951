--TEST--
An error that has "eval" in its text is no refusal of scripts; one that is names the right
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$set = 'EXPECT SET refusal_texts * NX PX 60000';
$extend = 'EXPECT EVALSHA * 1 refusal_texts ...';
$release = 'EXPECT EVALSHA * 3 refusal_texts {refusal_texts}:rlk:waiters {refusal_texts}:rlk:signal *';
$next = "EXPECT COMMAND ...\n$set\nSEND *0\\r\\n+OK\n";
$cases = [
	'a host' => "$extend\nSEND -MOVED 3999 retrieval-redis-0.retrieval:6379\n$next$release\nSEND :1",
	'a user' => "$extend\nSEND -NOPERM User evaluator has no permissions to run the 'pexpire' command\n$next$release\nSEND :1",
	/* With the keys of the waiters, then without. */
	'a key' => "$extend\nSEND :1\n$next$release\nSEND -NOPERM User ann has no permissions to access the 'eval' key\n$extend\nSEND :1",
	'the command' => "$extend\nSEND -NOPERM User ann has no permissions to run the 'evalsha' command\n$next$release\nSEND :1",
];
foreach ($cases as $name => $steps) {
	$server = new FakeServer("EXPECT SET refusal_texts * NX PX 60000\nSEND +OK\n$steps");
	$options = $server->options(['name' => 'refusal_texts', 'persistent' => true]);
	$lock = new RedisLock($options);
	$_ = $lock->acquire();
	echo "$name: ", preg_replace('/^.*?(answered: |redislock)| \(unix.*/', '', outcome(fn () => $lock->keepAlive())), "\n";
	$lock->detach();
	unset($lock);
	/* The same connection, another object. */
	$next = new RedisLock($options);
	echo outcome(fn () => [$next->acquire(), $next->release()] === [true, true]), "\n";
	unset($next);
	$server->await('played');
}
?>
--EXPECT--
a host: MOVED 3999 retrieval-redis-0.retrieval:6379
true
a user: NOPERM User evaluator has no permissions to run the 'pexpire' command
true
a key: true
true
the command:  needs the right to EVAL and EVALSHA, but the server answered: NOPERM User ann has no permissions to run the 'evalsha' command
true
