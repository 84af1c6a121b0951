--TEST--
An object made again with the same arguments starts afresh, and other arguments make another
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
$params = $server->options(['name' => 'again', 'ttl' => 5]);

$first = new RedisLock($params);
$_ = $first->acquire();
$token = $first->getToken();
$first->release();
unset($first);
$second = new RedisLock($params);
var_dump($second->isHeld(), $second->getToken(), $second->release(), $second->acquire(), $second->getToken() !== $token);

echo "-- a lease that is still held stays, and is not the next object's\n";
unset($second);
$third = new RedisLock($params);
var_dump($third->isHeld(), $third->acquire(), $redis('DEL', 'again'), $third->acquire());
unset($third); /* the same again, with the lock lost meanwhile */
$redis('DEL', 'again');

echo "-- two at a time\n";
$a = new RedisLock($params);
$b = new RedisLock($params);
var_dump($a->acquire(), $b->acquire(), $b->release(), $a->isHeld(), $a->release());
unset($a, $b);

echo "-- what makes another\n";
$made = fn (array $more = [], array $options = []) => (string) new RedisLock($more + $params, $options);
echo $made(), ' ', $made(['ttl' => 6]), ' ', $made(['ttl' => '6']), ' ', $made(['ttl' => 6.5]), ' ', $made([], ['ttl' => 7]), ' ',
	$made([], ['name' => 'x']), ' ', $made(), ' ', $made(['ttl' => null]), "\n";
ini_set('redislock.ttl', '9');
echo $made(['ttl' => null]), ' ', $made(), "\n";
ini_set('redislock.ttl', '0');
$ttl = 3;
$referring = $params;
$referring['ttl'] = &$ttl;
echo new RedisLock($referring), ' ';
$ttl = 4;
echo new RedisLock($referring), "\n";
for ($i = 0; $i < 2; $i++) {
	echo outcome(fn () => new RedisLock(['ttl' => [1]] + $params)), "\n";
	echo outcome(fn () => new RedisLock(['tttl' => 1] + $params)), "\n";
	echo outcome(fn () => SequenceTask::execute($params, fn (RedisLock $lock) => (string) $lock)), "\n";
	echo outcome(fn () => (new RedisLock(['password' => new stdClass] + $params))), "\n";
}
class Mine extends RedisLock
{
	public int $count = 0;
}
$mine = new Mine($params);
$mine->count++;
unset($mine);
echo (new Mine($params))->count, ' ', get_class(new RedisLock($params)), "\n";

echo "-- with a token of its own\n";
$taken = function (array $more, array $options = []) use ($params, $redis): string {
	$lock = new RedisLock($more + $params, $options);
	$_ = $lock->acquire();
	$value = $redis('GET', 'again');
	return ($lock->getToken() === $value && $lock->release() ? '' : 'not ') .
		(str_starts_with($value, 'rlk1:') ? 'a fresh one' : $value);
};
echo $taken([], ['token' => 'one']), ', ', $taken([], ['token' => 'another']), ', ', $taken([]), ', ', $taken([], ['token' => null]),
	', ', $taken(['token' => 'below'], ['token' => 'above']), ', ', $taken(['token' => 'low'], ['token' => 'high']), ', ',
	$taken(['token' => 'low']), ', ', $taken([], ['token' => 7]), "\n";
foreach (['', str_repeat('t', 1025), ['t']] as $token) {
	echo outcome(fn () => new RedisLock($params, ['token' => $token])), "\n";
}
echo $taken([], ['token' => 'third']), "\n";

echo "-- one connection for all kinds, however they alternate\n";
$persistent = $params + ['persistent' => true, 'client_name' => 'kinds'];
for ($i = 0; $i < 20; $i++) {
	$lock = new RedisLock(['name' => "kind" . $i % 3] + $persistent);
	$_ = $lock->acquire();
	$lock->release();
	unset($lock);
}
$count = fn () => substr_count($redis('CLIENT', 'LIST'), 'name=kinds');
var_dump($count());
for ($i = 0; $i < 50; $i++) {
	$lock = new RedisLock(['name' => "many$i"] + $persistent);
	$_ = $lock->acquire();
	$lock->release();
	unset($lock);
}
var_dump($count());

echo "-- in a forked copy\n";
$lock = new RedisLock($persistent);
$_ = $lock->acquire();
$lock->release();
unset($lock);
$pid = pcntl_fork();
if ($pid === 0) {
	$lock = new RedisLock($persistent);
	echo $lock->acquire() && $lock->release() ? "works\n" : "does not\n";
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($pid, $status);
$lock = new RedisLock($persistent);
var_dump($lock->acquire(), $lock->release());
?>
--EXPECT--
bool(false)
NULL
bool(false)
bool(true)
bool(true)
-- a lease that is still held stays, and is not the next object's
bool(false)
bool(false)
int(1)
bool(true)
-- two at a time
bool(true)
bool(false)
bool(false)
bool(true)
bool(true)
-- what makes another
again[5] again[6] again[6] again[6.5] again[7] x[5] again[5] again[60]
again[9] again[5]
again[3] again[4]
TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, array given
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: unknown option "tttl", did you mean "ttl"?
'again[5]'
TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "password" must be a string, stdClass given
TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, array given
ValueError: RedisLock::__construct(): Argument #1 ($params) is not valid: unknown option "tttl", did you mean "ttl"?
'again[5]'
TypeError: RedisLock::__construct(): Argument #1 ($params) is not valid: option "password" must be a string, stdClass given
0 RedisLock
-- with a token of its own
one, another, a fresh one, a fresh one, above, high, low, 7
ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "token" must not be empty
ValueError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "token" must be at most 1024 bytes long
TypeError: RedisLock::__construct(): Argument #2 ($options) is not valid: option "token" must be a string, array given
third
-- one connection for all kinds, however they alternate
int(1)
int(1)
-- in a forked copy
works
bool(true)
bool(true)
