--TEST--
64 waiters of the extension and 64 of the polyfill get a lock in the order in which they came
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
/* slow: 128 processes line up one after the other, twice */
require __DIR__ . '/../inc/turns.inc';
$server = new Server();
foreach (['a lock' => [], 'three permits' => ['permits' => 3]] as $of => $options) {
	$turns = new Turns(array_fill(0, 128, 0.0), 0.002, 0, $server->options(['name' => 'polyfill_order'] + $options), true);
	/* Others have all of it until the last one stands in line. */
	$first = array_map(fn () => new RedisLock($server->options(['name' => 'polyfill_order', 'ttl' => 300] + $options)), range(1, $options['permits'] ?? 1));
	array_walk($first, fn (RedisLock $lock) => $lock->acquire() || throw new Error('not acquired'));
	$turns->line($server->client());
	pause(5.5, 'who does not check the lock blocks for 5 s, and lines up again');
	array_walk($first, fn (RedisLock $lock) => $lock->release() || throw new Error('not released'));
	$turns->end();
	echo "$of: {$turns->count()}, ", $options === [] ? $turns->overtaken() : $turns->outOfOrder(0.06), " out of order\n";
}
?>
--EXPECT--
a lock: 128, 0 out of order
three permits: 128, 0 out of order
