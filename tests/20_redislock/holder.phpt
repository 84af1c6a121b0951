--TEST--
RedisLock::holder(): nobody, ourselves, another process
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$lock = new RedisLock($server->options(['name' => 'holder', 'label' => 'a label: 100 %']));
$other = new RedisLock($server->options(['name' => 'holder']));
var_dump($lock->holder());
$_ = $lock->acquire();
foreach ([$lock, $other] as $asks) {
	$holder = $asks->holder();
	echo implode(' ', array_keys($holder)), "\n";
	var_dump($holder['token'] === $lock->getToken(), $holder['host'] === gethostname(), $holder['pid'] === getmypid());
	var_dump($holder['label'], $holder['waited'], $holder['resting']);
	expect_between('ttl', $holder['ttl'], 1, 60);
}
$lock->release();
$php = new Php('$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "holder"]);
	$_ = $lock->acquire();
	echo "in\n";
	fgets(STDIN);',
	[$server->socket]);
$php->await('in');
var_dump($lock->holder()['pid'] === $php->pid, $lock->holder()['label']);
?>
--EXPECT--
NULL
token host pid label ttl waited resting
bool(true)
bool(true)
bool(true)
string(14) "a label: 100 %"
bool(false)
bool(false)
ttl: ok
token host pid label ttl waited resting
bool(true)
bool(true)
bool(true)
string(14) "a label: 100 %"
bool(false)
bool(false)
ttl: ok
bool(true)
NULL
