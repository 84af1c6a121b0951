--TEST--
RedisLock::__construct(): wrong arguments, a second call, and methods without it
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
each_outcome([
	'int' => [5],
	'null' => [null],
	'object' => [new stdClass],
	'options' => [[], 'name=a'],
	'too many' => [[], [], 1],
	'wrong in $options' => [['name' => 'a'], ['ttl' => -1]],
], fn ($arguments) => new RedisLock(...$arguments));
$lock = new RedisLock();
echo outcome(fn () => $lock->__construct()), "\n";

class Forgetful extends RedisLock
{
	public function __construct()
	{
	}
}
foreach ((new ReflectionClass(RedisLock::class))->getMethods() as $method) {
	if (!$method->isStatic() && !$method->isConstructor()) {
		$arguments = ['synchronized' => ['time'], 'lock' => ['a'], 'unlock' => ['a'], 'exec' => ['true']][$method->getName()] ?? [];
		echo $method->getName(), ' ', outcome(fn () => $method->invoke(new Forgetful, ...$arguments)), "\n";
	}
}
?>
--EXPECT--
int: TypeError: RedisLock::__construct(): Argument #1 ($params) must be of type array|string, int given
null: TypeError: RedisLock::__construct(): Argument #1 ($params) must be of type array|string, null given
object: TypeError: RedisLock::__construct(): Argument #1 ($params) must be of type array|string, stdClass given
options: TypeError: RedisLock::__construct(): Argument #2 ($options) must be of type array, string given
too many: ArgumentCountError: RedisLock::__construct() expects at most 2 arguments, 3 given
wrong in $options: ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, -1 given
Error: RedisLock::__construct() may be called only once
acquire Error: Forgetful::__construct() was not called
keepAlive Error: Forgetful::__construct() was not called
release Error: Forgetful::__construct() was not called
synchronized Error: Forgetful::__construct() was not called
isHeld Error: Forgetful::__construct() was not called
isAcquired Error: Forgetful::__construct() was not called
remaining Error: Forgetful::__construct() was not called
forceRelease Error: Forgetful::__construct() was not called
holder Error: Forgetful::__construct() was not called
holders Error: Forgetful::__construct() was not called
upgrade Error: Forgetful::__construct() was not called
downgrade Error: Forgetful::__construct() was not called
detach Error: Forgetful::__construct() was not called
exec Error: Forgetful::__construct() was not called
getName Error: Forgetful::__construct() was not called
getToken Error: Forgetful::__construct() was not called
getFence Error: Forgetful::__construct() was not called
__toString Error: Forgetful::__construct() was not called
lock Error: Forgetful::__construct() was not called
unlock Error: Forgetful::__construct() was not called
