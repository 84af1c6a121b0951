--TEST--
ArrayLockFactory: a clock that tests move, what is planned, waits without end, and stand-ins for what the extension declares
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();

use RedisLock\Lock;
use RedisLock\LockFactory;
use RedisLock\NotAcquiredException;
use RedisLock\Testing\ArrayLock;
use RedisLock\Testing\ArrayLockFactory;
use RedisLock\Adapter\OptionTable;

$locks = new ArrayLockFactory('tcp://db', ['ttl' => 5]);
$say = fn (mixed ...$values) => print(json_encode($values, JSON_PRESERVE_ZERO_FRACTION) . "\n");

echo "-- the clock\n";
$lock = $locks->lock('job');
$_ = $lock->acquire();
$say($locks->whenUnavailable('skip') === $locks, $locks instanceof LockFactory, $lock->remaining(), $lock->holder()['ttl'], $locks->taken());
$locks->advance(4.999);
$say($lock->remaining(), $lock->isHeld(), $locks->now());
$locks->advance(0.001);
$say($lock->remaining(), $lock->isHeld(), $locks->taken());
for ($i = 0, $_ = $lock->acquire(); $i < 49; $i++) {
	$locks->advance(0.1);
}
$say($lock->remaining(), $lock->release());

echo "-- what others do\n";
$other = $locks->lock('job', ['renew' => true, 'label' => 'other']);
$_ = $other->acquire();
$locks->after(2, fn () => $say('at', $locks->now(), $other->holder()['waited'], $other->holder()['label']));
$locks->after(3, $other->release(...));
$locks->after(1, fn () => $say('at', $locks->now()));
$began = $locks->now();
$say($lock->acquire(10), $locks->now() - $began, $lock->remaining(), $lock->release());

echo "-- waits without end\n";
$_ = $other->acquire();
try {
	$_ = $lock->acquire(INF);
} catch (LogicException $e) {
	echo $e->getMessage(), "\n";
}
$locks->after(86400, $other->release(...));
$say($lock->acquire(INF), $lock->release());
$held = $locks->lock('job', ['renew' => true, 'max_hold' => 7, 'on_lost' => 'flag', 'ttl' => 3]);
$_ = $held->acquire();
$began = $locks->now();
$say($lock->acquire(INF), $locks->now() - $began, $lock->release());
try {
	$_ = $lock->acquire(true);
} catch (TypeError $e) {
	echo $e->getMessage(), "\n";
}

echo "-- several losses, and one amid a wait\n";
$waits = $locks->lock('waits', ['renew' => true, 'interval' => 1]);
$_ = $waits->acquire();
$_ = $locks->lock('busy', ['ttl' => 60])->acquire();
$locks->after(0.5, fn () => $locks->lock('waits')->forceRelease());
$began = $locks->now();
try {
	$_ = $locks->lock('busy')->acquire(10);
} catch (RedisLock\LockLostException $e) {
	$say($e->getMessage(), $locks->now() - $began, $waits->isHeld(), $locks->taken());
}

echo "-- apart from each other\n";
$say((new ArrayLockFactory)->lock('busy')->acquire());

echo "-- what stands in for the extension says the same\n";
$signature = fn (ReflectionMethod $m) => implode(' ', Reflection::getModifierNames($m->getModifiers() & ~ReflectionMethod::IS_ABSTRACT)) .
	" $m->name(" . implode(', ', array_map(fn ($p) => "{$p->getType()} \$$p->name" . ($p->isOptional() ? ' = ' . var_export($p->getDefaultValue(), true) : ''), $m->getParameters())) .
	"): {$m->getReturnType()}";
$shape = function (string $prefix) use ($signature): array {
	foreach (['Lock', 'ManagedLock', 'Exception', 'ConnectionException', 'NotAcquiredException', 'LockLostException', 'RenewalException'] as $name) {
		$class = new ReflectionClass("$prefix$name");
		$own = fn (array $of) => array_values(array_filter($of, fn ($member) => $member->class === $class->name));
		$shape[$name] = [$class->isInterface(), $class->isFinal(), str_replace($prefix, '', (string) ($class->getParentClass() ?: null)?->name),
			array_map($signature, $own($class->getMethods())),
			array_map(fn ($p) => "{$p->getType()} $p->name = " . var_export($p->getDefaultValue(), true), $own($class->getProperties()))];
	}
	return $shape;
};
foreach (['Lock', 'ManagedLock', 'exceptions'] as $file) {
	eval(str_replace('namespace RedisLock;', 'namespace Polyfill;', substr(file_get_contents(__DIR__ . "/../../packages/lock/polyfill/$file.php"), 5)));
}
$stand_ins = $shape('Polyfill\\');
foreach ($shape('RedisLock\\') as $name => $said) {
	echo $name, ': ', json_encode($said === $stand_ins[$name]), "\n";
}

echo "-- and so do the options\n";
preg_match('/^const rlk_option_row rlk_option_rows\[\] = \{$(.*?)^\};$/ms', file_get_contents(__DIR__ . '/../../src/config/rlk_option.c'), $rows);
preg_match_all('/"(\w+)"/', $rows[1], $keys);
$names = array_keys(array_filter(OptionTable::names()));
$say(count($keys[1]) > 50, array_values(array_diff($keys[1], $names)), array_values(array_diff($names, $keys[1])));

echo "-- permits that are held\n";
$three = array_map(fn ($i) => $locks->lock('seats', ['permits' => 3]), range(1, 3));
$say(array_map(fn ($lock) => $lock->acquire(), $three));
foreach ([['permits' => 3], ['permits' => 5, 'weight' => 3], ['shared' => false]] as $options) {
	try {
		$locks->run('seats', fn () => null, $options);
	} catch (NotAcquiredException $e) {
		echo preg_replace('/by host .*/', 'by ...', $e->getMessage()), "\n";
	}
}

echo "-- tokens that would be something else in a sorted set\n";
foreach (['__write__', 'token#2', '#2', 'token#b', '2#', '__write'] as $token) {
	$said = function (callable $code): string {
		try {
			$code();
			return 'taken';
		} catch (ValueError) {
			return 'refused';
		}
	};
	$say($token, $said(fn () => $locks->lock('job', ['token' => $token])), $said(fn () => $locks->restore('job', $token)), $said(fn () => $locks->managed('job')->forceRelease($token)));
}
?>
--EXPECT--
-- the clock
[true,true,5.0,5.0,["job"]]
[0.001,true,4.999]
[0.0,false,[]]
[0.1,true]
-- what others do
["at",10.9]
["at",11.9,true,"other"]
[true,3.0,5.0,true]
-- waits without end
This wait for lock "job" would never end: what holds it is renewed, and nothing is due that would release it. See ArrayLockFactory::after().
[true,true]
[true,9.0,true]
RedisLock\Testing\ArrayLock::acquire(): Argument #1 ($wait) must be of type ?float, bool given; INF waits without limit
-- several losses, and one amid a wait
["lock \"waits\" was lost: its key was deleted or has another owner",1.0,false,["busy"]]
-- apart from each other
[true]
-- what stands in for the extension says the same
Lock: true
ManagedLock: true
Exception: true
ConnectionException: true
NotAcquiredException: true
LockLostException: true
RenewalException: true
-- and so do the options
[true,[],[]]
-- permits that are held
[[true,true,true]]
lock "seats": 3 of 3 permits are held, by ...
lock "seats": 3 of 5 permits are held, by ...
lock "seats": held by ...
-- tokens that would be something else in a sorted set
["__write__","refused","refused","refused"]
["token#2","refused","refused","refused"]
["#2","refused","refused","refused"]
["token#b","taken","taken","taken"]
["2#","taken","taken","taken"]
["__write","taken","taken","taken"]
