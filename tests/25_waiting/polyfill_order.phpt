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
foreach (['a lock' => [], 'three permits' => ['permits' => 3]] as $of => $options) {
	$server = new Server();
	$options += ['name' => 'polyfill_order', 'read_timeout' => 30];
	$turns = new Turns(array_fill(0, 128, 0.0), 0.002, 0, $server->options($options), true);
	/* Others have all of it until the last one stands in line. */
	$first = array_map(fn () => new RedisLock($server->options(['ttl' => 300] + $options)), range(1, $options['permits'] ?? 1));
	array_walk($first, fn (RedisLock $lock) => $lock->acquire() || throw new Error('not acquired'));
	$turns->line($server->client());
	pause(5.5, 'who does not check the lock blocks for 5 s, and lines up again');
	$isPlain = !isset($options['permits']);
	if ($isPlain) {
		/* Nobody checks from now on: checks need the turnstile's key, too. Where the server stands still for 10 ms behind a release, two of
		 * them find the lock free, and wake one who then loses his place. */
		$server->client()('ACL', 'SETUSER', 'default', 'resetkeys', '~polyfill_order', '~*:waiters', '~*:signal');
	}
	array_walk($first, fn (RedisLock $lock) => $lock->release() || throw new Error('not released'));
	$turns->end();
	echo "$of: {$turns->count()}, ", $isPlain ? $turns->overtaken() : $turns->outOfOrder(0.06), " out of order\n";
}
?>
--EXPECT--
a lock: 128, 0 out of order
three permits: 128, 0 out of order
