--TEST--
Drupal: the lock backends
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/other_process.inc';
require_once __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../chaos/Proxy.php';
load_framework('drupal');

use RedisLock\Drupal\LockBackend;
use RedisLock\Drupal\PersistentLockBackend;

$server = new Server(true);
$redis = $server->client();
$lock = new LockBackend($server->options());
$other = new OtherProcess('drupal', $server->socket, '$lock = new RedisLock\Drupal\LockBackend("unix:$socket");');
$say = fn (string $what, mixed $value) => print("$what: " . json_encode($value) . "\n");

echo "-- as the framework's own test has it\n";
$say('acquired', $lock->acquire('a'));
$say('available', $lock->lockMayBeAvailable('a'));
$lock->release('a');
$say('available when released', $lock->lockMayBeAvailable('a'));
$say('acquired', $lock->acquire('b'));
$say('acquired again, which extends it', $lock->acquire('b', 90));
$say('more than a minute left', $redis('TTL', 'drupal:b') > 60);
$long = str_repeat('long_key:', 60);
$say('a long name', $lock->acquire($long));
$lock->releaseAll('of another request');
$say('keys', $redis('DBSIZE'));
$lock->releaseAll();
$say('available after releaseAll()', [$lock->lockMayBeAvailable('b'), $lock->lockMayBeAvailable($long)]);

echo "-- two requests\n";
$say('acquired', $lock->acquire('job'));
$say('by another request', json_decode($other->ask('return [$lock->acquire("job"), $lock->lockMayBeAvailable("job")];')));
$other->ask('$lock->release("job"); return 0;');
$say('still held', !$lock->lockMayBeAvailable('job'));
$other->tell('return $lock->wait("job", 20);');
wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
$lock->release('job');
$say('waited, held all the time', json_decode($other->line()));
$say('acquired after it', json_decode($other->ask('return $lock->acquire("job", 30);')));
$began = now();
$say('waited for 1 s, held all the time', $lock->wait('job', 1));
expect_taken('seconds', $began, 0.99, 3);
$other->kill();
wait_until(fn () => $redis('EXISTS', 'drupal:job') === 0, 5);
$say('free when the other request was killed', $lock->acquire('job'));

echo "-- lost\n";
$lost = function () use ($redis, $lock): string {
	try {
		$redis('DEL', 'drupal:job');
		wait_until(fn () => $lock->acquire('job') === false);
		return 'acquire() told it';
	} catch (RedisLock\LockLostException $e) {
		return get_class($e);
	}
};
$say('told', in_array($lost(), ['acquire() told it', RedisLock\LockLostException::class], true));
$say('acquired anew', $lock->acquire('job') || $lock->acquire('job'));

echo "-- lock.persistent\n";
$persistent = new PersistentLockBackend($server->options(), 'site:');
$third = new OtherProcess('drupal', $server->socket, '$lock = new RedisLock\Drupal\PersistentLockBackend("unix:$socket", "site:");');
$say('id', $persistent->getLockId());
$say('acquired by a request', json_decode($third->ask('return $lock->acquire("batch", 60);')));
$third->kill();
$say('acquired by the next one', $persistent->acquire('batch'));
$say('still held when that request was killed', $redis('TTL', 'site:batch') > 30);
$persistent->release('batch');
$say('released by the next one', $persistent->lockMayBeAvailable('batch'));
$say('acquired', [$persistent->acquire('batch', 5), $persistent->acquire('batch', 90), $redis('TTL', 'site:batch') > 60]);
$redis('DEL', 'site:batch');
$say('extended after it was deleted', $persistent->acquire('batch'));
$say('acquired anew', $persistent->acquire('batch'));
$persistent->releaseAll();
$say('keys', $redis('EXISTS', 'site:batch'));

$lock->acquire('of a request');
(new PersistentLockBackend($server->options()))->release('of a request');
$say('the lock of the other service stays', !$lock->lockMayBeAvailable('of a request'));
$lock->release('of a request');

echo "-- what is executed late does nothing to the lock of another request\n";
$proxy = new Proxy($server->port);
$slow = new PersistentLockBackend(['port' => $proxy->port, 'read_timeout' => 1], 'site:');
$say('acquired', $slow->acquire('late'));
$proxy->tell('delay 60000');
try {
	$slow->release('late');
} catch (RedisLock\ConnectionException $e) {
	$persistent->release('late');
	$say('acquired by another request', $persistent->acquire('late'));
}
$redis('CONFIG', 'RESETSTAT');
$proxy->tell('arrive');
wait_until(fn () => str_contains($redis('INFO', 'commandstats'), 'cmdstat_evalsha:'));
$say('still held', !$persistent->lockMayBeAvailable('late'));

echo "-- names that are no strings, as Drupal's own backends take them\n";
$text = new class {
	public function __toString(): string
	{
		return 'text';
	}
};
foreach ([$lock, $persistent] as $backend) {
	foreach ([42, $text] as $name) {
		$say('acquired', [$backend->acquire($name, '20'), $backend->acquire((string) $name), $backend->lockMayBeAvailable($name)]);
		$backend->release($name);
		$say('released', [$backend->lockMayBeAvailable($name), $backend->wait($name, '1')]);
	}
	foreach (['acquire', 'wait'] as $method) {
		try {
			$say('no time', $backend->$method('time', 'abc'));
		} catch (ValueError $e) {
			echo $e->getMessage(), "\n";
		}
	}
}
?>
--EXPECT--
-- as the framework's own test has it
acquired: true
available: false
available when released: true
acquired: true
acquired again, which extends it: true
more than a minute left: true
a long name: true
keys: 2
available after releaseAll(): [true,true]
-- two requests
acquired: true
by another request: [false,false]
still held: true
waited, held all the time: false
acquired after it: true
waited for 1 s, held all the time: true
seconds: ok
free when the other request was killed: true
-- lost
told: true
acquired anew: true
-- lock.persistent
id: "persistent"
acquired by a request: true
acquired by the next one: false
still held when that request was killed: true
released by the next one: true
acquired: [true,true,true]
extended after it was deleted: false
acquired anew: true
keys: 0
the lock of the other service stays: true
-- what is executed late does nothing to the lock of another request
acquired: true
acquired by another request: true
still held: true
-- names that are no strings, as Drupal's own backends take them
acquired: [true,true,false]
released: [true,false]
acquired: [true,true,false]
released: [true,false]
Seconds must be a number, "abc" given.
Seconds must be a number, "abc" given.
acquired: [true,true,false]
released: [true,false]
acquired: [true,true,false]
released: [true,false]
Seconds must be a number, "abc" given.
Seconds must be a number, "abc" given.
