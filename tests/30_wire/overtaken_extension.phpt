--TEST--
keepAlive(): a shorter one that arrives late does not end what a later one has confirmed
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../chaos/Proxy.php';

$server = new Server(true);
$redis = $server->client();
$proxy = new Proxy($server->port);
$lock = new RedisLock(['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'job', 'ttl' => 30, 'read_timeout' => 0.2]);
$try = function (callable $do): mixed {
	try {
		return $do();
	} catch (RedisLock\ConnectionException $e) {
		return strtok($e->getMessage(), '(');
	}
};
foreach (['keepAlive' => fn () => $lock->keepAlive(20), 'isAcquired' => fn () => $lock->isAcquired()] as $what => $confirm) {
	var_dump($lock->acquire() && $lock->keepAlive(30) && $lock->isAcquired());
	$redis('CONFIG', 'RESETSTAT');
	$proxy->tell('delay 700');
	echo $try(fn () => $lock->keepAlive(5)), "\n";
	/* From here on others overtake it. */
	$proxy->tell('delay 0');
	echo $got = $try($confirm), "\n";
	while ($got !== true) {
		$got = $try($confirm);
	}
	wait_until(fn () => preg_match('/cmdstat_evalsha:calls=2/', $redis('INFO', 'COMMANDSTATS')), 15);
	echo "$what: ", $redis('PTTL', 'job') >= $lock->remaining() * 1000 ? 'right' : 'believes too much', "\n";
	var_dump($lock->release());
}

/* One that is over sooner need not wait. */
var_dump($lock->acquire());
$proxy->tell('delay 700');
echo $try(fn () => $lock->keepAlive(5)), "\n";
$proxy->tell('delay 0');
var_dump($try(fn () => $lock->keepAlive(4)));
?>
--EXPECT--
bool(true)
lock "job": the server did not answer in time 
lock "job": an earlier change of its ttl may still be under way, and would end it too soon 
keepAlive: right
bool(true)
bool(true)
lock "job": the server did not answer in time 
lock "job": an earlier change of its ttl may still be under way, and would end it too soon 
isAcquired: right
bool(true)
bool(true)
lock "job": the server did not answer in time 
bool(true)
