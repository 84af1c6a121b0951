--TEST--
A server that hangs for the destructor of one lock costs the next one little, and takes nothing from the locks of others
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';
[$hung, $well] = [new Server, new Server];
$lock = function (Server $server, string $name): RedisLock {
	$lock = new RedisLock($server->options(['name' => $name, 'renew' => true, 'ttl' => 60, 'timeout' => 2, 'read_timeout' => 2]));
	$lock->acquire() || exit("not acquired\n");
	return $lock;
};
$is_free = fn (Server $server, string $name) => $server->client()('EXISTS', $name) === 0;
for ($i = 1; $i <= 5; $i++) {
	[$a[$i], $b[$i]] = [$lock($hung, "destructor_hung:a$i"), $lock($well, "destructor_hung:b$i")];
}
$hung->freeze();
$start = now();
for ($i = 1; $i <= 5; $i++) {
	unset($a[$i]);
	if ($i === 1) {
		unset($b[1]);
		var_dump($is_free($well, 'destructor_hung:b1'));
	}
}
expect_taken('five of a server that hangs', $start, 0, 1.4);
$a[1] = $lock($well, 'destructor_hung:c');
unset($b[2]);
var_dump($is_free($well, 'destructor_hung:b2'));

/* Who asks for a release has the time that was configured. */
$hung->thaw();
$a[1] = $lock($hung, 'destructor_hung:d');
$hung->freeze();
$start = now();
try {
	$a[1]->release();
} catch (RedisLock\ConnectionException) {
	expect_taken('release()', $start, 1.9, 3);
}
$hung->thaw();
wait_until(fn () => $hung->client()('DBSIZE') === 0);
?>
--EXPECT--
bool(true)
five of a server that hangs: ok
bool(true)
release(): ok
