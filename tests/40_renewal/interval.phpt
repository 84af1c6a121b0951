--TEST--
RedisLock: renewal happens every interval, a third of the ttl by default, half of it at the latest
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();

function renewals(array $options): int
{
	global $s, $redis;
	$redis('CONFIG', 'RESETSTAT');
	SequenceTask::execute($s->options($options), fn () => wait_until(fn () => false, 1.2));
	/* PEXPIRE is called by nothing else, and only where it makes the ttl longer. */
	preg_match('/^cmdstat_pexpire:calls=(\d+)/m', $redis('INFO', 'commandstats'), $m);
	return (int) ($m[1] ?? 0);
}
/* 1.2 s divided by the interval; a busy machine does fewer, now and then, but never more. */
function expect_renewals(string $name, array $options, int $min, int $max): void
{
	for ($tries = 5; ($count = renewals(['name' => 'interval'] + $options)) < $min && $tries > 0; $tries--);
	expect_between($name, $count, $min, $max);
}
expect_renewals('interval 0.1', ['ttl' => 30, 'interval' => 0.1], 7, 12);
expect_renewals('alias seconds', ['ttl' => 30, 'seconds' => 0.2], 3, 6);
expect_renewals('ttl 0.9', ['ttl' => 0.9], 2, 4);
expect_renewals('above half the ttl', ['ttl' => 0.8, 'interval' => 0.7], 2, 3);
expect_renewals('not due', ['ttl' => 30], 0, 0);
--EXPECT--
interval 0.1: ok
alias seconds: ok
ttl 0.9: ok
above half the ttl: ok
not due: ok
