--TEST--
renewal child: a young one survives the SIGKILL of its parent's process group, and frees the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$code = '
posix_setpgid(0, 0);
$lock = new RedisLock(["unix_socket" => $argv[1], "name" => $argv[2], "ttl" => 30, "renew" => true]);
$_ = $lock->acquire();
posix_kill(0, SIGKILL);
';

$freed = 0;
for ($i = 0; $i < 5; $i++) {
	$php = new Php($code, [$s->socket, "child_of_killed_group-$i"]);
	$php->rest();
	$freed += comes_true(fn () => !$redis('EXISTS', "child_of_killed_group-$i")) ? 1 : 0;
}
var_dump($freed);
--EXPECT--
int(5)
