--TEST--
RedisLock::setPoller(): a poller may close the streams that it gets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
RedisLock::setPoller(function (array $read, array $write, ?float $seconds) {
	$none = [];
	[$readable, $writable] = [$read, $write];
	stream_select($readable, $writable, $none, 10);
	array_map('fclose', array_merge($read, $write));
}, true);
$locks = array_map(fn () => new RedisLock($server->options(['name' => 'closed_streams', 'ttl' => 60])), [1, 2]);
step('acquired', $locks[0]->acquire());
step('refused after a wait', $locks[1]->acquire(0.1));
step('released', $locks[0]->release());
?>
--EXPECT--
acquired: true
refused after a wait: false
released: true
