--TEST--
RedisLock::acquire(): the first request over a connection releases nobody who has the same token
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
/* On a server with a password, whether a release would be allowed is asked ahead of the first acquisition. */
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(false, '--requirepass', 'secret');
$redis = $server->client();
$redis('AUTH', 'secret');
/* A release known to the server: were the question one of this token, it would be answered by deleting the key. */
$redis('SCRIPT', 'LOAD', script_text('release'));
$options = $server->options(['auth' => 'secret']) + ['name' => 'token_shared', 'token' => 'T', 'ttl' => 30];
$redis('SET', 'token_shared', 'T', 'PX', 60000);
foreach ([0, 1] as $wait) {
	$another = new Php('var_dump((new RedisLock(unserialize($argv[1])))->acquire((float) $argv[2]));', [serialize($options), $wait]);
	echo $another->rest();
	expect_between('left', $redis('PTTL', 'token_shared'), 50000, 60000);
}
?>
--EXPECT--
bool(false)
left: ok
bool(false)
left: ok
