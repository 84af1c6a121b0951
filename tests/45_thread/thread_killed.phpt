--TEST--
redislock.renewal=thread: a thread dies with its process, the lock ends with its ttl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$client = $server->client();
$php = new Php(<<<'CODE'
	SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'thread_killed', 'ttl' => 30], function () {
		echo "in\n";
		sleep(60);
	});
	CODE, [$server->socket], ['redislock.renewal=thread']);
$php->await('in');
$php->signal(SIGKILL);
$php->end();
var_dump(stays_true(fn () => $client('EXISTS', 'thread_killed') === 1, 0.5));
expect_between('it expires in, ms', $client('PTTL', 'thread_killed'), 1, 30000);
?>
--EXPECT--
bool(true)
it expires in, ms: ok
