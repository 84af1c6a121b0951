--TEST--
A generator function is refused before anything is locked: its body would run without the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';

$s = new Server;
$config = $s->options(['name' => 'generator']);

function numbers() { yield 1; }
class Numbers
{
	public function __invoke() { yield 1; }
	public function each() { yield 1; }
	public static function all() { yield 1; }
	public function __call(string $name, array $arguments) { return $name; }
}
$closure = function () { yield 1; };
foreach (['numbers', new Numbers, [new Numbers, 'each'], 'Numbers::all', [Numbers::class, 'all'], $closure, fn () => yield 1,
	[$closure, '__invoke'], numbers(...), (new Numbers)->each(...), Closure::fromCallable('numbers'), $closure->__invoke(...)] as $i => $code) {
	$said[] = outcome(fn () => SequenceTask::execute($config, $code));
	$said[] = outcome(fn () => (new RedisLock($config))->synchronized($code));
}
echo implode("\n", array_unique($said)), "\n";
preg_match('/cmdstat_set:/', $s->client()('INFO', 'commandstats'), $m);
var_dump($m);

/* What makes one inside, or is none, may run. */
var_dump(SequenceTask::execute($config, fn () => array_sum(iterator_to_array(numbers()))));
var_dump(SequenceTask::execute($config, [new Numbers, 'magic']));
var_dump(SequenceTask::execute($config, [fn (RedisLock $lock) => $lock->isHeld(), '__invoke']));
?>
--EXPECT--
LogicException: SequenceTask::execute(): Argument #2 ($callable) must not be a generator function: its body would run after the release; iterate it in a function
LogicException: RedisLock::synchronized(): Argument #1 ($code) must not be a generator function: its body would run after the release; iterate it in a function
array(0) {
}
int(1)
string(5) "magic"
bool(true)
