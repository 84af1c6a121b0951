--TEST--
servers: acquire() returns in time where they are silent
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
$servers = servers(3);
$options = ['servers' => addresses($servers, 3), 'name' => 'limit_of_several'];
$freeze = fn (array $which) => array_map(fn (Server $s) => $s->freeze(), $which);
$thaw = fn (array $which) => array_map(fn (Server $s) => $s->thaw(), $which);

function timed(string $case, RedisLock $lock): void
{
	$start = now();
	try {
		$answer = json_encode($lock->acquire(0.3));
	} catch (RedisLock\ConnectionException $e) {
		$answer = $e->getMessage() . json_encode($e->isRetryable());
	}
	$taken = taken($start, null, 0.299);
	echo "$case: $answer\n";
	expect_between($case, $taken, 0.299, 0.35);
}

$lock = new RedisLock($options);
var_dump($lock->acquire(), $lock->release());
foreach (['with connections' => $lock, 'without' => new RedisLock($options + ['label' => 'another'])] as $case => $each) {
	$freeze($servers);
	timed($case, $each);
	$thaw($servers);
	var_dump($each->acquire(5), $each->release());
}

/* Others have it on one, and one more would be enough, but does not answer. */
$servers[0]->client()('SET', 'limit_of_several', 'of others');
$freeze([$servers[2]]);
timed('one is silent', $lock);
$thaw([$servers[2]]);
/* Most say so. */
$servers[1]->client()('SET', 'limit_of_several', 'of others');
$freeze([$servers[2]]);
timed('two are not', $lock);
$thaw([$servers[2]]);
var_dump(where($servers, 'limit_of_several', 'of others'));
?>
--EXPECT--
bool(true)
bool(true)
with connections: lock "limit_of_several": no majority of the servers, 3 of 3 failed: no answer in timetrue
with connections: ok
bool(true)
bool(true)
without: lock "limit_of_several": no majority of the servers, 3 of 3 failed: no answer in timetrue
without: ok
bool(true)
bool(true)
one is silent: lock "limit_of_several": no majority of the servers, 1 of 3 failed: no answer in timetrue
one is silent: ok
two are not: false
two are not: ok
string(3) "xx."
