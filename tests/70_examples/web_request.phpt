--TEST--
examples/web_request.php: one at a time, and none without a server
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$client = $server->client();
putenv("REDIS_URL=unix:$server->socket");
$request = fn (string ...$args) =>
	new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/web_request.php', true) . ';', $args);

$first = $request('A-7', '60');
wait_until(fn () => $client('EXISTS', 'payment:A-7') === 1);
echo $request('A-7')->rest();
echo $request('A-8')->rest();
expect_between('ttl left', $client('PTTL', 'payment:A-7'), 1, 15000);

/* The lease of a process that died goes by its ttl, not before. */
$first->signal(SIGKILL);
$first->end();
echo $request('A-7')->rest();
$client('DEL', 'payment:A-7');
echo $request('A-7')->rest();

putenv("REDIS_URL=unix:$server->dir/nobody");
echo $request('A-7')->rest();
?>
--EXPECTF--
409 order A-7 is being paid already
200 order A-8 is paid
ttl left: ok
409 order A-7 is being paid already
200 order A-7 is paid
lock "payment:A-7": cannot connect: %s
503 please try again
