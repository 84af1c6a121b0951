--TEST--
A lease outlives its object and its process, however that ends
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'lease_outlives:object']));
$_ = $lock->acquire();
unset($lock);
gc_collect_cycles();
var_dump($redis('EXISTS', 'lease_outlives:object'));
foreach (['end' => '', 'exit' => 'exit(3);', 'fatal' => 'no_such_function();',
	'SIGTERM' => 'posix_kill(getmypid(), SIGTERM);',
	'SIGKILL' => 'posix_kill(getmypid(), SIGKILL);'] as $how => $code) {
	$php = new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => $argv[2]]); $_ = $lock->acquire(); ' . $code,
		[$server->socket, "lease_outlives:$how"]);
	$php->rest();
	echo $how, ' ', json_encode($php->end()), ' ', $redis('EXISTS', "lease_outlives:$how"), "\n";
}
?>
--EXPECT--
int(1)
end {"exit":0} 1
exit {"exit":3} 1
fatal {"exit":255} 1
SIGTERM {"signal":15} 1
SIGKILL {"signal":9} 1
