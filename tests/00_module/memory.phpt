--TEST--
20,000 pairs of acquire and release on one object need no more memory than a few
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();

function resident(): int
{
	preg_match('/VmRSS:\s+(\d+) kB/', file_get_contents('/proc/self/status'), $m);
	return (int) $m[1];
}

function pairs(RedisLock $lock, int $count): void
{
	for ($i = 0; $i < $count; $i++) {
		if (!$lock->acquire() || !$lock->release() || !$lock->lock("memory:$i") || !$lock->unlock("memory:$i")) {
			exit("pair $i failed\n");
		}
	}
}

$lock = new RedisLock($server->options(['name' => 'memory']));
pairs($lock, 200);
/* What is kept is seen: one element of an array for each pair is more than the bound. */
$used = memory_get_usage();
for ($i = 0, $leaked = []; $i < 10000; $i++) {
	$leaked[] = 'x';
}
expect_between('bytes of PHP that are kept', memory_get_usage() - $used, 4097, INF);
$leaked = null;
$used = memory_get_usage();
$resident = resident();
pairs($lock, 10000);
expect_between('bytes of PHP', memory_get_usage() - $used, -65536, 4096);
expect_between('kB resident', resident() - $resident, -100000, 1024);

/* A new object for every pair, and a list of names as lock() keeps it. */
for ($i = 0; $i < 500; $i++) {
	$used = $i === 100 ? memory_get_usage() : $used;
	$resident = $i === 100 ? resident() : $resident;
	pairs(new RedisLock($server->options(['name' => 'memory', 'label' => 'x', 'reentrant' => true])), 1);
}
expect_between('bytes of PHP', memory_get_usage() - $used, -65536, 4096);
expect_between('kB resident', resident() - $resident, -100000, 1024);

/* Names that are released, and names that nobody releases. */
function names(RedisLock $lock, int $first, int $last, bool $unlock): void
{
	for ($i = $first; $i < $last; $i++) {
		try {
			$lock->lock("memory:$i") || exit("name $i failed\n");
			$unlock && ($lock->unlock("memory:$i") || exit("name $i failed\n"));
		} catch (RedisLock\ConnectionException) {
			/* The machine slept for longer than the ttl. */
		}
	}
}
foreach ([[5, true], [0.02, false]] as [$ttl, $unlock]) {
	$lock = new RedisLock($server->options(['ttl' => $ttl]));
	names($lock, 0, 4000, $unlock);
	$resident = resident();
	names($lock, 4000, 12000, $unlock);
	expect_between('kB resident', resident() - $resident, -100000, 2048);
}
?>
--EXPECT--
bytes of PHP that are kept: ok
bytes of PHP: ok
kB resident: ok
bytes of PHP: ok
kB resident: ok
kB resident: ok
kB resident: ok
