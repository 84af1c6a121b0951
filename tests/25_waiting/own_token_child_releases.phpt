--TEST--
The option token: a release of it that got no answer is not left to the renewal child, and does not free what comes next
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server();
$params = $s->options(['token' => RedisLock::newToken(), 'ttl' => 200, 'renew' => true]);
/* The server knows the script: nothing follows in its place. */
$lock = new RedisLock(['name' => 'known'] + $params);
[$lock->acquire(), $lock->release()];
foreach (['one try' => 0, 'a wait' => 30] as $what => $wait) {
	$lock = new RedisLock(['name' => $what, 'read_timeout' => 1] + $params);
	$patient = new RedisLock(['name' => $what, 'read_timeout' => 60] + $params);
	var_dump($lock->acquire());
	$s->freeze();
	try {
		$lock->release();
	} catch (RedisLock\ConnectionException $e) {
		echo $e->getMessage(), "\n";
	}
	/* It goes on while we wait for it. */
	$thaw = new Php('fgets(STDIN); pause(0.2, "the other waits by then"); posix_kill((int) $argv[1], SIGCONT);', [$s->pid]);
	$thaw->tell('go');
	echo $what, ': ';
	var_dump($patient->acquire($wait));
	$thaw->end();
	var_dump($s->client()('GET', $what) === $patient->getToken(), $patient->release());
}
?>
--EXPECTF--
bool(true)
lock "one try": the server did not answer in time (unix:%s)
one try: bool(true)
bool(true)
bool(true)
bool(true)
lock "a wait": the server did not answer in time (unix:%s)
a wait: bool(true)
bool(true)
bool(true)
