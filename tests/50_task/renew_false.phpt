--TEST--
SequenceTask::execute(), synchronized(): renew => false is refused before anything is locked
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'renew_false', 'renew' => false]);

foreach ([fn () => SequenceTask::execute($config, fn () => print("must not run\n")),
	fn () => (new RedisLock($config))->synchronized(fn () => print("must not run\n"))] as $attempt) {
	try {
		$attempt();
	} catch (ValueError $e) {
		echo $e->getMessage(), "\n";
	}
}
preg_match('/cmdstat_set:calls=(\d+)/', $redis('INFO', 'commandstats'), $m);
var_dump($m[1] ?? 0, SequenceTask::execute($s->options(['name' => 'renew_false', 'renew' => true]), fn () => 'runs'));
--EXPECTF--
SequenceTask::execute(): Argument #1 ($config) is not valid: %srenew%s
%srenew%s
int(0)
string(4) "runs"
