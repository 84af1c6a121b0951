--TEST--
servers: a name whose lookup hangs costs nobody else anything, and no lookup takes longer than the caller waits
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
require __DIR__ . '/../inc/names.inc';
skip_unless_names();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/names.inc';
$servers = servers(4);
$names = new Names($servers[0]->dir, "127.0.0.1 here.test\n");
$program = proc_open($names->command(__DIR__ . '/silent_name.inc', ...array_map(fn (Server $s) => (string) $s->port, $servers)),
	[['null'], ['pipe', 'w']], $pipes);
echo stream_get_contents($pipes[1]), 'exit ', proc_close($program), "\n";
?>
--EXPECT--
one of five is silent, at 0, plain: ok
one of five is silent, at 0, plain, in a fiber: ok
one of five is silent, at 0, process-bound: ok
one of five is silent, at 0, process-bound, in a fiber: ok
one of five is silent, at 2, plain: ok
one of five is silent, at 2, plain, in a fiber: ok
one of five is silent, at 2, process-bound: ok
one of five is silent, at 2, process-bound, in a fiber: ok
one of five is silent, at 4, plain: ok
one of five is silent, at 4, plain, in a fiber: ok
one of five is silent, at 4, process-bound: ok
one of five is silent, at 4, process-bound, in a fiber: ok
a single server: ok
lock "silent_name": no majority of the servers, 3 of 5 failed: cannot resolve the host name: no answer in time
too few: ok
lock "silent_name": no majority of the servers, 3 of 5 failed: cannot resolve the host name: no answer in time
too few, process-bound: ok
lock "silent_name": no majority of the servers, 3 of 5 failed: cannot resolve the host name: no answer in time
too few, in a fiber: ok
lock "silent_name": no majority of the servers, 3 of 5 failed: cannot resolve the host name: no answer in time
too few, in a fiber, process-bound: ok
exit 0
