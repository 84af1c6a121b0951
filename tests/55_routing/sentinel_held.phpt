--TEST--
Sentinel: a lock is kept through failovers, also while the process is deep in one call
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
/* slow: it waits for failovers */
require __DIR__ . '/../inc/sentinel.inc';
$all = new Sentinels();
$options = fn ($name) => $all->options(['name' => "sentinel_held_$name", 'ttl' => 30, 'interval' => 0.2, 'renew' => true]);

/* It hears nothing until after the failover. */
[$file, $surface] = deep_call();
$busy = new Php('
	$lock = new RedisLock(unserialize(base64_decode($argv[1])));
	var_dump($lock->acquire());
	fgets(STDIN);
	echo flock(fopen($argv[2], "c"), LOCK_EX) ? "deep\n" : "interrupted\n";
	echo now(), "\n";
	var_dump($lock->isHeld(), $lock->release());
	', [base64_encode(serialize($options('busy'))), $file]);
echo $busy->line(), "\n";
$asleep = new RedisLock($options('asleep'));
$lease = new RedisLock($all->options(['name' => 'sentinel_held_lease', 'ttl' => 120]));
var_dump($asleep->acquire(), $lease->acquire());

foreach (['busy', 'asleep', 'lease'] as $name) {
	$all->awaitCopies("sentinel_held_$name");
}
$busy->tell('');

$new = $all->client($all->kill(fn () => pause(2, 'there is no master, and the children try in vain')));
/* Both children find the new master, their parents asleep or busy. */
foreach (['busy', 'asleep'] as $name) {
	var_dump($name, is_renewed($new, "sentinel_held_$name"));
	$seen[$name] = now();
}
var_dump($lease->keepAlive(180), $new('PTTL', 'sentinel_held_lease') > 150000);
$surface();
echo $busy->line(), ' ', $busy->line() > $seen['busy'] ? 'until then' : 'too short', "\n", $busy->rest();
var_dump($asleep->isHeld(), $asleep->remaining() > 28);

/* The master steps down in good order, and lives on as a replica. That does not wait for copies of what it was told last. */
$all->awaitCopies('sentinel_held_busy', false);
$new = $all->client($all->failover());
var_dump(is_renewed($new, 'sentinel_held_asleep'), $asleep->isHeld());
var_dump($lease->release(), $asleep->release(), $new('KEYS', '*'));
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
string(4) "busy"
bool(true)
string(6) "asleep"
bool(true)
bool(true)
bool(true)
deep until then
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
array(0) {
}
