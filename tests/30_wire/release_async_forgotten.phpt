--TEST--
RedisLock: release_async over a connection that a balancer has forgotten: said again with the next use, or at the end
--EXTENSIONS--
sockets
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/stale.inc';
$server = new Server(true);
$redis = $server->client();
$proxy = new Proxy($server->port);
$options = ['host' => '127.0.0.1', 'port' => $proxy->port, 'name' => 'async', 'ttl' => 60, 'release_async' => true];
$gone = fn () => $redis('EXISTS', 'async') === 0;

/** The reset is there before the next call, or answers that. */
function play(string $what, bool $before, callable $next): void
{
	global $options, $redis, $proxy, $gone;
	$lock = new RedisLock($options);
	$lock->acquire() && $lock->release() && $lock->acquire();
	$proxy->tell('forget');
	$start = now();
	$said = outcome(fn () => $lock->release());
	$before && usleep(100000);
	$said .= ', ' . outcome(fn () => $next($lock));
	unset($lock);
	echo "$what: $said", wait_until($gone, 2) ? '' : ', left', now() - $start > 4 ? ', late' : '', "\n";
	$redis('FLUSHALL');
}

$taken = fn (RedisLock $lock, float $wait) => $lock->acquire($wait) && $lock->isAcquired() && $lock->release();
foreach ([false, true] as $before) {
	play('acquire', $before, fn ($lock) => $taken($lock, 0));
	play('with a wait', $before, fn ($lock) => $taken($lock, 5));
	play('another name', $before, fn ($lock) => $lock->lock('another') && $lock->unlock('another'));
}
play('isAcquired', true, fn ($lock) => $lock->isAcquired());
play('keepAlive', true, fn ($lock) => $lock->keepAlive());
play('release', true, fn ($lock) => $lock->release());
play('holder', true, fn ($lock) => $lock->holder());
play('the object goes', true, fn ($lock) => null);

/* Somebody else has it by then. */
$lock = new RedisLock($options);
$lock->acquire();
$proxy->tell('forget');
$lock->release();
$redis('SET', 'async', 'somebody');
usleep(100000);
var_dump($lock->acquire(), $redis('GET', 'async'));
$redis('DEL', 'async');

/* With a token of the caller's the answer is waited for. */
$lock = new RedisLock(['token' => 'mine'] + $options);
$lock->acquire();
$proxy->tell('forget');
var_dump($lock->release(), $gone());
?>
--EXPECT--
acquire: true, true
with a wait: true, true
another name: true, true
acquire: true, true
with a wait: true, true
another name: true, true
isAcquired: true, false
keepAlive: true, false
release: true, false
holder: true, NULL
the object goes: true, NULL
bool(false)
string(8) "somebody"
bool(true)
bool(true)
