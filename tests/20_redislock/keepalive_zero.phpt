--TEST--
RedisLock::keepAlive(0): what counts is what the lock was acquired with
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
function outcome(callable $f): string
{
	try {
		return json_encode($f());
	} catch (ValueError $e) {
		return $e->getMessage();
	}
}

$plain = new RedisLock($server->options(['name' => 'keepalive_zero']));
foreach ([['fence' => true], [], ['hold_at_least' => 10]] as $config) {
	$plain->lock('keepalive_zero', RedisLock::NONBLOCKED, $config);
	echo outcome(fn () => $plain->keepAlive(0)), ' ', $redis('PTTL', 'keepalive_zero') > 0 ? 'expires' : 'stays', "\n";
	$plain->release();
}
$redis('DEL', 'keepalive_zero');

$strict = new RedisLock($server->options(['name' => 'keepalive_zero', 'fence' => true]));
echo outcome(fn () => $strict->keepAlive(0)), "\n";
$strict->lock('keepalive_zero', RedisLock::NONBLOCKED, ['fence' => false]);
echo outcome(fn () => $strict->keepAlive(0)), "\n";

/* Taken over: the number is not known any more, the promise is. */
$again = RedisLock::restore($server->options(['fence' => true]), 'keepalive_zero', $strict->detach());
echo outcome(fn () => $again->keepAlive(0)), ' ', json_encode($again->keepAlive()), ' ',
	outcome(fn () => $again->keepAlive(0)), "\n";
--EXPECT--
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence expires
true stays
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence expires
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
true
RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence true RedisLock::keepAlive(): Argument #1 ($ttl) may be 0 only for a lease on one server, without hold_at_least and fence
