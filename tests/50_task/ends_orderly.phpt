--TEST--
SequenceTask::execute(): the lock is free however the callable ends the process
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$ends = [
	'return' => 'return 1;',
	'exception caught outside' => 'throw new DomainException("x");',
	'uncaught exception' => 'throw new Exception("x");',
	'uncaught error' => 'not_a_function();',
	'exit()' => 'exit(3);',
	'exit() with text' => 'exit("text");',
	'die in a nested function' => '(function () { array_map(function () { try { die(4); } finally { echo "not reached"; } }, [1]); })();',
	'exit() in a generator' => '$g = (function () { yield 1; exit(5); })(); foreach ($g as $x);',
	'exit() in a fiber' => '(new Fiber(function () { exit(6); }))->start();',
];

foreach ($ends as $name => $code) {
	$php = new Php('try { SequenceTask::execute(["unix_socket" => $argv[1], "name" => "ends_orderly", "ttl" => 30], function () {
		echo "in\n"; fgets(STDIN); ' . $code . ' }); } catch (DomainException) { }', [$s->socket]);
	$php->await('in');
	$held = $redis('EXISTS', 'ends_orderly');
	$php->tell('go');
	$php->rest();
	echo "$name: ", json_encode($php->end()), " held $held, then ", $redis('EXISTS', 'ends_orderly'), "\n";
}
--EXPECT--
return: {"exit":0} held 1, then 0
exception caught outside: {"exit":0} held 1, then 0
uncaught exception: {"exit":255} held 1, then 0
uncaught error: {"exit":255} held 1, then 0
exit(): {"exit":3} held 1, then 0
exit() with text: {"exit":0} held 1, then 0
die in a nested function: {"exit":4} held 1, then 0
exit() in a generator: {"exit":5} held 1, then 0
exit() in a fiber: {"exit":6} held 1, then 0
