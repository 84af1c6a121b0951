--TEST--
RedisLock::lock(): a token stays spent for a name that is not the configured one, with the extension and with the polyfill
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/side.inc';
$begin = '$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "polyfill_spent", "ttl" => 60, "read_timeout" => 1, "token" => "mine"]);';
foreach (['extension', 'polyfill'] as $name) {
	$server = new Server;
	$side = new Side($name, $server, $begin);
	echo "$name: ", json_encode($side->do('[$lock->acquire(), $lock->release()]'));
	$server->freeze();
	echo ', ', $side->do('$lock->lock("polyfill_spent_other")') ? 'not answered' : '?';
	$server->thaw();
	foreach ([1, 2] as $_) {
		echo "\n\t", preg_replace('/\d+/', 'n', (string) $side->do('$lock->lock("polyfill_spent_other")'));
	}
	echo "\n";
}
?>
--EXPECT--
extension: [true,true], not answered
	RedisLock\ConnectionException: lock "polyfill_spent_other": the token is spent for n ms: a request with it was not answered, and may still be executed
	RedisLock\ConnectionException: lock "polyfill_spent_other": the token is spent for n ms: a request with it was not answered, and may still be executed
polyfill: [true,true], not answered
	RedisLock\ConnectionException: lock "polyfill_spent_other": the token is spent for n ms: a request with it was not answered, and may still be executed
	RedisLock\ConnectionException: lock "polyfill_spent_other": the token is spent for n ms: a request with it was not answered, and may still be executed
