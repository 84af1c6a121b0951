--TEST--
RedisLock: hold_at_least keeps the key after the release and after the holder's death
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'renewed_hold_at_least', 'ttl' => 2, 'hold_at_least' => 10]);
$other = new RedisLock($s->options(['name' => 'renewed_hold_at_least']));
$look = function (string $how) use ($redis, $other) {
	expect_between("$how: rest (ms)", $redis('PTTL', 'renewed_hold_at_least'), 3000, 10000);
	echo json_encode([$other->acquire(), $other->holder()['resting'] ?? null]), "\n";
	$redis('DEL', 'renewed_hold_at_least');
};

$token = SequenceTask::execute($config, fn (RedisLock $lock) => $lock->getToken());
var_dump($redis('GET', 'renewed_hold_at_least') !== $token);
$look('return');

try {
	SequenceTask::execute($config, fn () => throw new DomainException);
} catch (DomainException) {
	$look('exception');
}

$lock = new RedisLock($config + ['renew' => true]);
$_ = $lock->acquire();
unset($lock);
$look('destruction');

$code = 'SequenceTask::execute(["unix_socket" => $argv[1], "name" => "renewed_hold_at_least", "ttl" => 2, "hold_at_least" => 10],
	function () { echo "in\n"; fgets(STDIN); exit(1); });';
$php = new Php($code, [$s->socket]);
$php->await('in');
$php->tell('go');
$php->end();
$look('exit()');

$php = new Php($code, [$s->socket]);
$php->await('in');
$php->signal(SIGKILL);
wait_until(fn () => $other->holder()['resting'] ?? false);
$look('SIGKILL');

/* Held longer than that: free at once. */
SequenceTask::execute(['hold_at_least' => 0.1] + $config, fn () => pause(0.15, 'longer than that'));
var_dump($redis('EXISTS', 'renewed_hold_at_least'));
--EXPECT--
bool(true)
return: rest (ms): ok
[false,true]
exception: rest (ms): ok
[false,true]
destruction: rest (ms): ok
[false,true]
exit(): rest (ms): ok
[false,true]
SIGKILL: rest (ms): ok
[false,true]
int(0)
