--TEST--
SequenceTask::execute(): process and renewal child killed together leave the key to its ttl; one alone does not
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$code = 'SequenceTask::execute(["unix_socket" => $argv[1], "name" => "ends_killed_both", "ttl" => 30, "interval" => 0.05],
	function () { $child = await_renewal_child(getmypid()); echo "in\n"; for (;;) usleep(1000); });';
$start = function () use ($code, $s) {
	$php = new Php($code, [$s->socket]);
	$php->await('in');
	return [$php, renewal_child($php->pid)];
};
$renewals = fn () => preg_match('/cmdstat_pexpire:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;

/* Stopped first, so that neither sees the other one's end, as with the OOM killer taking a whole cgroup. */
[$php, $child] = $start();
stop_process($child);
$php->signal(SIGSTOP);
posix_kill($child, SIGKILL);
$php->signal(SIGKILL);
var_dump($php->end(), comes_true(fn () => !is_running($child)));
var_dump(strlen($redis('GET', 'ends_killed_both')) > 0, $redis('PTTL', 'ends_killed_both') > 20000);
/* Nobody renews it any more. */
$ttl = $redis('PTTL', 'ends_killed_both');
wait_until(function () use ($redis, &$ttl) {
	[$before, $ttl] = [$ttl, $redis('PTTL', 'ends_killed_both')];
	return $ttl > $before ? throw new Exception('renewed') : $ttl < 30000 - 500;
});
$redis('PEXPIRE', 'ends_killed_both', 10);
$other = new RedisLock($s->options(['name' => 'ends_killed_both', 'retry_ms' => 5]));
var_dump($other->acquire(10), $other->release());

/* The child alone: replaced, and renewals go on. */
[$php, $child] = $start();
posix_kill($child, SIGKILL);
$new = 0;
wait_until(function () use ($php, $child, &$new) {
	return !in_array($new = renewal_child($php->pid), [0, $child]);
});
$before = $renewals();
wait_until(fn () => $renewals() > $before + 2);

/* The process alone: the new child frees it. */
$php->signal(SIGKILL);
var_dump(comes_true(fn () => $redis('EXISTS', 'ends_killed_both') === 0), comes_true(fn () => !is_running($new)));
--EXPECT--
array(1) {
  ["signal"]=>
  int(9)
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
