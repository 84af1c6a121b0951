--TEST--
examples/quorum.php: works with one of three servers down, and tells which are when two are
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$servers = servers(3);
$run = function () use ($servers) {
	$code = file_get_contents(dirname(__DIR__, 2) . '/examples/quorum.php');
	/* The limits of a busy machine. */
	$p = new Php(preg_replace('/^<\?php/', '', $code),
		array_map(fn (Server $s) => "tcp://127.0.0.1:$s->port?timeout=5&read_timeout=5", $servers));
	echo preg_replace('/\d{5}/', 'N', $p->rest()), json_encode($p->end()), "\n";
};
$servers[1]->kill();
$run();
$servers[2]->kill();
$run();
?>
--EXPECTF--
locked, for 9.%d s at least
extended, to 19.7 s
done
{"exit":0}
lock "example:quorum": no majority of the servers, 2 of 3 failed: cannot connect: Connection refused (tcp://127.0.0.1:N)
  tcp://127.0.0.1:N: %r(yes|no answer yet)%r
  tcp://127.0.0.1:N: cannot connect: Connection refused
  tcp://127.0.0.1:N: cannot connect: Connection refused
{"exit":75}
