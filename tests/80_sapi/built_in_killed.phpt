--TEST--
PHP's built-in server: stopped or killed while a lock is held, it can start again at the same port at once
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$port = Server::freePort();
foreach (['SIGKILL' => SIGKILL, 'SIGTERM' => SIGTERM] as $name => $signal) {
	stop_and_start($name, $s, 'built_in_killed', $signal, fn () => new BuiltIn($s, $port));
}

/* SIGINT, as from Ctrl-C, lets the request finish. */
$redis = $s->client();
$server = new BuiltIn($s);
$request = $server->request('task("built_in_killed", function () { gate(); echo "finished"; });')->await('in');
$server->signal(SIGINT);
echo 'SIGINT: held ', $redis('EXISTS', 'built_in_killed'), ', ', $request->go()->rest(),
	', held ', $redis('EXISTS', 'built_in_killed'), ', stopped: ', var_export($server->awaitEnd(), true), "\n";
--EXPECT--
SIGKILL: stopped, the child lives, next: refused, then: in
SIGTERM: stopped, the child lives, next: refused, then: in
SIGINT: held 1, finished, held 0, stopped: true
