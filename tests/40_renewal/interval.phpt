--TEST--
RedisLock: renewal happens every interval, a third of the ttl by default, half of it at the latest
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();

/** How many there were, and in how many seconds; -1 when a child that stood still has lost the lock. */
function renewals(array $options): array
{
	global $s, $redis;
	$redis('CONFIG', 'RESETSTAT');
	$start = now();
	try {
		SequenceTask::execute($s->options($options), fn () => pause(1.8, 'renewals are counted'));
	} catch (RedisLock\LockLostException) {
		return [-1, 0];
	}
	$seconds = now() - $start;
	/* PEXPIRE is called by nothing else, and only where it makes the ttl longer. */
	preg_match('/^cmdstat_pexpire:calls=(\d+)/m', $redis('INFO', 'commandstats'), $m);
	return [(int) ($m[1] ?? 0), $seconds];
}
/* The time, at least 1.8 s, divided by the interval; a machine that stands still does fewer, but never more. */
function expect_renewals(string $name, array $options, float $interval, int $min): void
{
	[$count, $seconds] = unless_stalled(fn () => renewals(['name' => 'interval'] + $options), fn (array $said) => $said[0] >= $min);
	expect_between($name, $count, $min, floor($seconds / $interval));
}
expect_renewals('interval 0.1', ['ttl' => 30, 'interval' => 0.1], 0.1, 11);
expect_renewals('ttl 1.5', ['ttl' => 1.5], 0.5, 2);
expect_renewals('above half the ttl', ['ttl' => 1.5, 'interval' => 1.4], 0.75, 2);
expect_renewals('not due', ['ttl' => 30], 10, 0);
--EXPECT--
interval 0.1: ok
ttl 1.5: ok
above half the ttl: ok
not due: ok
