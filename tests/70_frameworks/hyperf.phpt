--TEST--
Hyperf: crontab tasks with "singleton" and "onOneServer"
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/other_process.inc';
load_framework('hyperf');

$server = new Server;
$redis = $server->client();
$make = '$task = (new Hyperf\Crontab\Crontab)->setName("report")->setRule("* * * * *");
	$tasks = new RedisLock\Hyperf\TaskMutex("unix:$socket");
	$servers = new RedisLock\Hyperf\ServerMutex("unix:$socket", 2.0); ';
$other = new OtherProcess('hyperf', $server->socket, $make);
$socket = $server->socket;
eval($make);
$say = fn (string $what, mixed $value) => print("$what: " . json_encode($value) . "\n");
$ask = fn (string $line) => json_decode($other->ask("return $line;"));
/* The keys of Hyperf's own classes. */
$key = 'framework/crontab-' . sha1('report* * * * *');
$server_key = 'hyperf/crontab-' . sha1('report* * * * *') . '-sv';

echo "-- singleton\n";
$say('runs', $ask('$tasks->exists($task)'));
$say('create', $tasks->create($task));
$say('key of its own', $redis('EXISTS', $key));
$say('runs', [$tasks->exists($task), $ask('$tasks->exists($task)')]);
$say('create elsewhere, and here again', [$ask('$tasks->create($task)'), $tasks->create($task)]);
$ask('$tasks->remove($task)');
$say('removed elsewhere: runs', $tasks->exists($task));
$tasks->remove($task);
$say('removed: runs', $tasks->exists($task));
$say('create elsewhere', $ask('$tasks->create($task)'));

echo "-- onOneServer\n";
$say('attempt elsewhere', [$ask('$servers->attempt($task)'), $ask('$servers->attempt($task)')]);
$say('key of its own', $redis('EXISTS', $server_key));
$say('attempt', $servers->attempt($task));
$say('who', [$servers->get($task) === $redis('GET', $server_key), $ask('$servers->get($task)') === $servers->get($task)]);
$other->kill();
wait_until(fn () => $redis('EXISTS', $key) + $redis('EXISTS', $server_key) === 0, 5);
$say('killed: who', $servers->get($task));
$say('attempt', [$servers->attempt($task), $servers->attempt($task)]);
$say('create', $tasks->create($task));

echo "-- lost\n";
$redis('SET', $server_key, 'another');
wait_until(fn () => $servers->attempt($task) === false);
$say('attempt', $servers->attempt($task));
$redis('DEL', $server_key);
$say('attempt', $servers->attempt($task));
?>
--EXPECT--
-- singleton
runs: false
create: true
key of its own: 1
runs: [true,true]
create elsewhere, and here again: [false,false]
removed elsewhere: runs: true
removed: runs: false
create elsewhere: true
-- onOneServer
attempt elsewhere: [true,true]
key of its own: 1
attempt: false
who: [true,true]
killed: who: ""
attempt: [true,true]
create: true
-- lost
attempt: false
attempt: true
