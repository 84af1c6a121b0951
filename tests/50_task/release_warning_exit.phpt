--TEST--
SequenceTask::execute(): an error handler that exits does so
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
/* Behind the server's own, which has it go on: lets the renewal child finish what was left to it. */
register_shutdown_function(fn () => wait_until(fn () => $s->client()('EXISTS', 'release_warning_exit') === 0));
set_error_handler(function (int $level, string $text) {
	echo 'handler: ', substr($text, 0, 46), "\n";
	exit;
});
$config = $s->options(['name' => 'release_warning_exit', 'ttl' => 30, 'read_timeout' => 1]);
SequenceTask::execute($config, function () use ($s) {
	$s->freeze();
});
echo "goes on\n";
--EXPECT--
handler: SequenceTask::execute(): The task is done, but
