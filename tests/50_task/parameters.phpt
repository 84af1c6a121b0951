--TEST--
SequenceTask::execute(): the callable gets the lock only if it requires a parameter
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'parameters', 'ttl' => 30]);

class Job
{
	public function __invoke(RedisLock $lock)
	{
		return $lock->getName();
	}

	public static function plain()
	{
		return func_num_args();
	}
}

var_dump(SequenceTask::execute($config, fn () => func_num_args()));
var_dump(SequenceTask::execute($config, fn (RedisLock $lock) => [func_num_args(), (string) $lock, $lock->isHeld()]));
var_dump(SequenceTask::execute($config, fn ($optional = 'default') => $optional));
var_dump(SequenceTask::execute($config, fn (...$rest) => count($rest)));
var_dump(SequenceTask::execute($config, fn ($lock, $optional = 'default') => [$lock::class, $optional, func_num_args()]));
var_dump(SequenceTask::execute($config, new Job), SequenceTask::execute($config, 'Job::plain'));

$before = $redis('DBSIZE');
foreach ([fn ($one, $two) => 1, 'str_replace'] as $code) {
	try {
		SequenceTask::execute(['name' => 'parameters', 'port' => 1], $code);
	} catch (ValueError $e) {
		echo $e->getMessage(), "\n";
	}
}
--EXPECT--
int(0)
array(3) {
  [0]=>
  int(1)
  [1]=>
  string(14) "parameters[30]"
  [2]=>
  bool(true)
}
string(7) "default"
int(0)
array(3) {
  [0]=>
  string(9) "RedisLock"
  [1]=>
  string(7) "default"
  [2]=>
  int(1)
}
string(10) "parameters"
int(0)
SequenceTask::execute(): Argument #2 ($callable) must require at most one parameter (the lock), 2 are required
SequenceTask::execute(): Argument #2 ($callable) must require at most one parameter (the lock), 3 are required
