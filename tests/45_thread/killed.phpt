--TEST--
redislock.renewal=thread: a thread dies with its process, the lock ends with its ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';
$server = new Server();
$client = $server->client();
$php = new Php(<<<'CODE'
	SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'killed', 'ttl' => 1.5], function () {
		echo "in\n";
		sleep(60);
	});
	CODE, [$server->socket], ['redislock.renewal=thread']);
$php->await('in');
$php->signal(SIGKILL);
$php->end();
$killed = now();
var_dump($client('EXISTS', 'killed'));
var_dump(comes_true(fn () => !$client('EXISTS', 'killed')));
expect_taken('after', $killed, 0, 5);
?>
--EXPECT--
int(1)
bool(true)
after: ok
