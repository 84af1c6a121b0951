--TEST--
All forms of waiting: lock() BLOCKED, SequenceTask, synchronized(), two names of one object
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$holder = new RedisLock($server->options(['name' => 'forms']));
$code = [
	'acquire' => '$l = new RedisLock($o); var_dump($l->acquire(30));',
	'option wait' => '$l = new RedisLock($o + ["wait" => 30]); var_dump($l->acquire());',
	'lock' => '$l = new RedisLock($o); var_dump($l->lock("forms", RedisLock::BLOCKED));',
	'waitTime' => '$l = new RedisLock($o); var_dump($l->lock("forms", RedisLock::BLOCKED, ["waitTime" => 30]));',
	'beside another' => '$l = new RedisLock($o); var_dump($l->lock("other") && $l->lock("forms", RedisLock::BLOCKED) && $l->unlock("other"));',
	'execute' => 'var_dump(SequenceTask::execute($o + ["wait" => 30], fn () => SequenceTask::current()->isHeld()));',
	'synchronized' => '$l = new RedisLock($o + ["wait" => 30]); var_dump($l->synchronized(fn () => $l->isHeld()));',
	'in a fiber' => '$l = new RedisLock($o); $f = new Fiber(fn () => $l->acquire(30)); $f->start(); var_dump($f->getReturn());',
];
foreach ($code as $name => $piece) {
	no_checks($redis, 'forms');
	$_ = $holder->acquire();
	$php = new Php('$o = ["unix_socket" => $argv[1], "name" => "forms"]; echo "waiting\n"; ' . $piece, [$server->socket]);
	$php->await('waiting');
	await_queue($redis, 1);
	$freed = now();
	$holder->release();
	$said = $php->line();
	echo "$name: $said", now() - $freed < WOKEN ? "" : " late", "\n";
	$php->end();
	$redis('DEL', 'forms', 'other');
}
?>
--EXPECT--
acquire: bool(true)
option wait: bool(true)
lock: bool(true)
waitTime: bool(true)
beside another: bool(true)
execute: bool(true)
synchronized: bool(true)
in a fiber: bool(true)
