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
/* 1.2 s divided by the interval; a busy machine does fewer, never more. */
expect_between('interval 0.1', renewals(['name' => 'interval', 'ttl' => 30, 'interval' => 0.1]), 7, 12);
expect_between('alias seconds', renewals(['name' => 'interval', 'ttl' => 30, 'seconds' => 0.2]), 3, 6);
expect_between('ttl 0.9', renewals(['name' => 'interval', 'ttl' => 0.9]), 2, 4);
expect_between('above half the ttl', renewals(['name' => 'interval', 'ttl' => 0.8, 'interval' => 0.7]), 2, 3);
expect_between('not due', renewals(['name' => 'interval', 'ttl' => 30]), 0, 0);
--EXPECT--
interval 0.1: ok
alias seconds: ok
ttl 0.9: ok
above half the ttl: ok
not due: ok
