--TEST--
output, destructors and shutdown functions come once, whatever the renewal child does
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$php = new Php('
class Told { function __destruct() { echo "destructor\n"; } }
$told = new Told;
register_shutdown_function(fn () => print("shutdown function\n"));
ob_start();
echo "buffered before\n";
SequenceTask::execute(["unix_socket" => $argv[1], "name" => "output_once", "ttl" => 3], function () {
	echo "buffered inside\n";
	wait_until(fn () => $GLOBALS["child"] = renewal_child(getmypid()));
	posix_kill($GLOBALS["child"], SIGTERM);
	posix_kill($GLOBALS["child"], SIGKILL);
	wait_until(fn () => ($child = renewal_child(getmypid())) && $child !== $GLOBALS["child"]);
});
echo "buffered after\n";
', [$s->socket]);
echo $php->rest(), json_encode($php->end()), "\n";

/* Killed: the buffer is lost, and nobody else prints it. */
$php = new Php('
register_shutdown_function(fn () => print("shutdown function\n"));
ob_start();
echo "buffered\n";
SequenceTask::execute(["unix_socket" => $argv[1], "name" => "output_once"], fn () => posix_kill(getmypid(), SIGKILL));
', [$s->socket]);
echo $php->rest(), json_encode($php->end()), "\n";
wait_until(fn () => $s->client()('EXISTS', 'output_once') === 0);
--EXPECT--
buffered before
buffered inside
buffered after
shutdown function
destructor
{"exit":0}
{"signal":9}
