--TEST--
SequenceTask::execute(): finished work is returned though the release cannot be confirmed
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'release_unconfirmed', 'ttl' => 30, 'read_timeout' => 0.2]);

$result = SequenceTask::execute($config, function () use ($s) {
	$s->freeze();
	return 'the result';
});
var_dump($result);
$s->thaw();
wait_until(fn () => $redis('EXISTS', 'release_unconfirmed') === 0);

/* Away altogether. */
$result = SequenceTask::execute($config, function () use ($s) {
	$s->kill();
	return 'another result';
});
var_dump($result);

/* Lets the renewal child finish what was left to it. */
$s->start();
wait_until(fn () => str_contains($s->client()('INFO', 'commandstats'), 'cmdstat_eval:'));
--EXPECTF--
Warning: SequenceTask::execute(): The task is done, but the release of lock "release_unconfirmed" could not be confirmed: %s (unix://%s). The renewal child goes on trying in %s on line %d
string(10) "the result"

Warning: SequenceTask::execute(): The task is done, but the release of lock "release_unconfirmed" could not be confirmed: %s (unix://%s). The renewal child goes on trying in %s on line %d
string(14) "another result"
