--TEST--
SequenceTask::execute(): an error handler that throws does not lose the result
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
set_error_handler(function (int $level, string $text) {
	echo 'handler: ', substr($text, 0, 46), "\n";
	throw new ErrorException($text);
});
$config = $s->options(['name' => 'release_warning_thrown', 'ttl' => 30, 'read_timeout' => 0.1]);
try {
	var_dump(SequenceTask::execute($config, function () use ($s) {
		$s->freeze();
		return 'the result';
	}));
} catch (ErrorException) {
	echo "the result is lost\n";
}
$s->thaw();
wait_until(fn () => $s->client()('EXISTS', 'release_warning_thrown') === 0);
--EXPECT--
handler: SequenceTask::execute(): The task is done, but
string(10) "the result"
