--TEST--
RedisLock::exec(): a program whose lock is lost gets SIGTERM, and SIGKILL after its grace
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
$run = fn (string $script, ?float $grace = null, array $options = []) => Php::program(__DIR__ . '/exec.inc', [$s->socket, 'exec_lost',
	json_encode($options + ['interval' => 0.05]), json_encode(['program' => '/bin/sh', 'args' => ['-c', $script]] +
	($grace !== null ? ['grace' => $grace] : [])), '']);
/** The program is in; then its lock is deleted. Prints what it says and how it ends. */
$lose = function (string $name, Php $php, ?callable $how = null) use ($redis) {
	$php->await('in');
	$lost = now();
	$how ? $how() : $redis('DEL', 'exec_lost');
	echo "$name: ", str_replace("\n", ', ', $php->rest()), json_encode($php->end());
	return $lost;
};

$deaf = 'trap "" TERM; echo in; while :; do sleep 0.01; done';
$lose('deleted', $run('echo in; exec sleep 60'));
echo "\n";
$lose('one that tidies up', $run('trap "echo tidy; exit 3" TERM; echo in; while :; do sleep 0.01; done'));
echo "\n";
$began = $lose('deaf', $run($deaf, 0.3));
expect_taken(', after its grace', $began, 0.3, 1.5);
$began = $lose('no grace', $run($deaf, 0));
expect_taken(', at once', $began, 0, 0.5);
$lose('max_hold', $run('echo in; exec sleep 60', null, ['max_hold' => 0.5]), fn () => null);
echo ', key: ', $redis('DEL', 'exec_lost'), "\n"; /* which is left to its ttl */
$lose('on_lost flag', $run('echo in; exec sleep 60', null, ['on_lost' => 'flag']));
echo "\n";
/* Stopped, it cannot end by itself. */
$php = $run('echo in; exec sleep 60', 0.1);
$lose('stopped', $php, function () use ($php, $redis) {
	$php->signal(SIGSTOP);
	$redis('DEL', 'exec_lost');
});
echo "\n";
/* The server is away for longer than the ttl. */
$lose('expired', $run('echo in; exec sleep 60', null, ['ttl' => 1, 'interval' => 0.3]), fn () => $s->freeze());
$s->thaw();
echo "\n";
/* Somebody else has it by then, who keeps it. */
$other = new RedisLock($s->options(['name' => 'exec_lost']));
$lose('taken over', $run('echo in; exec sleep 60'), function () use ($other, $redis) {
	$redis('SET', 'exec_lost', 'somebody');
});
echo ', key: ', $redis('GET', 'exec_lost'), "\n";
?>
--EXPECT--
deleted: {"signal":15}
one that tidies up: tidy, {"exit":3}
deaf: {"signal":9}, after its grace: ok
no grace: {"signal":9}, at once: ok
max_hold: {"signal":15}, key: 1
on_lost flag: {"signal":15}
stopped: {"signal":9}
expired: {"signal":15}
taken over: {"signal":15}, key: somebody
