--TEST--
A parent that ends while a forked copy lives warns without the error handler of the application, which may throw
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$code = <<<'CODE'
	set_error_handler(function ($level, $message) { throw new ErrorException($message); });
	$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => 'daemonising_parent_handler', 'renew' => true]);
	$_ = $lock->acquire();
	if (pcntl_fork() === 0) {
		fgets(STDIN);
		posix_kill(getmypid(), SIGKILL);
	}
	CODE;
$php = new Php($code, [$server->socket]);
var_dump(comes_true(fn () => $php->end() === ['exit' => 0]), $server->client()('DBSIZE'));
$php->tell('end');
echo $php->rest();
?>
--EXPECT--
bool(true)
int(0)

Warning: PHP Request Shutdown: Lock "daemonising_parent_handler" is released, since the process that acquired it ends; a forked copy of it still runs, but does not hold the lock in Unknown on line 0
