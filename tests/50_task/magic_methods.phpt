--TEST--
SequenceTask::execute(): callables that only __call() or __callStatic() answers, as proxies and facades have them
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

class Facade
{
	public function __call($name, $args)
	{
		return [$name, count($args), SequenceTask::current()->isHeld()];
	}

	public static function __callStatic($name, $args)
	{
		return ["static $name", count($args), SequenceTask::current()->isHeld()];
	}
}

$s = new Server;
$config = $s->options(['name' => 'magic_methods']);
foreach ([[new Facade, 'job'], [Facade::class, 'job'], 'Facade::job', (new Facade)->job(...)] as $code) {
	echo json_encode(SequenceTask::execute($config, $code)), "\n";
}
echo json_encode((new RedisLock($config))->synchronized([new Facade, 'job'])), "\n";

/* One that is never called. */
$other = new RedisLock($config);
var_dump($other->acquire());
try {
	SequenceTask::execute($config, [new Facade, 'job']);
} catch (RedisLock\NotAcquiredException) {
	echo "not acquired\n";
}
--EXPECT--
["job",0,true]
["static job",0,true]
["static job",0,true]
["job",0,true]
["job",0,true]
bool(true)
not acquired
