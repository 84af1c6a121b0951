--TEST--
A parent that ends while a forked copy lives: the warning shows what the name holds of control characters
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$code = <<<'CODE'
	$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => "daemonising\n\0parent", 'renew' => true]);
	$_ = $lock->acquire();
	if (pcntl_fork() === 0) {
		fgets(STDIN);
		exit;
	}
	CODE;
$php = new Php($code, [$server->socket]);
var_dump(comes_true(fn () => $php->end() === ['exit' => 0]));
$php->tell('end');
preg_match('/Lock ".*" is released/s', $php->rest(), $m);
echo $m[0], "\n";
?>
--EXPECT--
bool(true)
Lock "daemonising\x0A\x00parent" is released
