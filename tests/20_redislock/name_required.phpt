--TEST--
A name is required wherever the configured one is meant, and nowhere else
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';

$s = new Server;
$redis = $s->client();
$unnamed = new RedisLock($s->options(['name' => getenv('NOT_SET_ANYWHERE') ?: null]));
foreach ((new ReflectionClass(RedisLock\ManagedLock::class))->getMethods() as $method) {
	$arguments = $method->getName() === 'synchronized' ? [fn () => print("must not run\n")] : [];
	$said = outcome(fn () => $unnamed->{$method->getName()}(...$arguments));
	echo $said === 'ValueError: option "name" is required: it says which lock is meant' ? '' : "{$method->getName()}: $said\n";
}
echo outcome(fn () => SequenceTask::execute($s->options(), fn () => print("must not run\n"))), "\n";
echo outcome(fn () => SequenceTask::execute($s->options(['name' => null]), fn () => print("must not run\n"))), "\n";
var_dump($redis('DBSIZE'));

/* Whoever names it with each call needs none. */
var_dump($unnamed->lock('a'), $unnamed->unlock('a'), (string) $unnamed);
$token = RedisLock::newToken();
var_dump(RedisLock::restore($s->options(), 'given', $token)->getName());
?>
--EXPECT--
ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: option "name" is required: it says which lock is meant
ValueError: SequenceTask::execute(): Argument #1 ($config) is not valid: option "name" is required: it says which lock is meant
int(0)
bool(true)
bool(true)
string(4) "[60]"
string(5) "given"
