--TEST--
RedisLock\LockLostException: a loss keeps no timeout of the application from ending a wait
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();

/* PHP begins to wait anew, with the whole timeout, when a signal comes. */
$reader = new Php('
	require_once $argv[2];
	[$socket, $peer] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
	stream_set_timeout($socket, 0, 500000);
	try {
		SequenceTask::execute(["unix_socket" => $argv[1], "name" => "lost_amid_timeouts", "interval" => 0.1], function () use ($socket) {
			echo "reads\n";
			$start = now();
			try {
				fread($socket, 1);
			} finally {
				expect_taken("timed out", $start, 0.5, 3 * 0.5);
			}
		});
	} catch (RedisLock\LockLostException $e) {
		echo $e->hasResult() ? "told too late\n" : "told\n";
	}
	', [$s->socket, __DIR__ . '/../inc/timing.inc']);
$reader->await('reads');
$redis('DEL', 'lost_amid_timeouts');
wait_until($reader->hasPrinted(...), 20);
echo $reader->rest();
?>
--EXPECT--
timed out: ok
told
