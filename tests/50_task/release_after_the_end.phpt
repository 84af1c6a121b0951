--TEST--
SequenceTask::execute(): an unconfirmed release goes on after the end of the script
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$php = new Php('SequenceTask::execute(["unix_socket" => $argv[1], "name" => "release_after_the_end", "ttl" => 30,
	"read_timeout" => 0.2],
	function () { echo "in\n"; fgets(STDIN); });', [$s->socket]);
$php->await('in');
$s->freeze();
$php->tell('go');
$php->end();
$s->thaw();
wait_until(fn () => $redis('EXISTS', 'release_after_the_end') === 0);
--EXPECT--

