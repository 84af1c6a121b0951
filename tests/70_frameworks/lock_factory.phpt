--TEST--
LockFactory: makes locks and runs tasks by name, with the options of the server and of each lock
--INI--
redislock.prefix=ini:
zend.exception_ignore_args=0
zend.exception_string_param_max_len=100
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();

use RedisLock\LockFactory;

$server = new Server;
$redis = $server->client();
$say = fn (mixed ...$values) => print(json_encode($values) . "\n");
$wrong = function (callable $code): string {
	try {
		return 'no error: ' . $code();
	} catch (Throwable $e) {
		return get_class($e) . ': ' . $e->getMessage();
	}
};

echo "-- whose options win\n";
foreach (["unix:$server->socket?ttl=9&prefix=uri:", ['url' => "unix:$server->socket?prefix=uri:", 'ttl' => 9], $server->options(['ttl' => 9, 'name' => 'unused'])] as $params) {
	$plain = new LockFactory($params);
	$other = new LockFactory($params, ['ttl' => 7, 'prefix' => 'own:']);
	$say((string) $plain->lock('job'), (string) $plain->lock('job', ['ttl' => 5]), (string) $other->lock('job'), (string) $other->lock('job', ['ttl' => 5]),
		(string) $other->lock('job', ['ttl' => null]));
	$say((string) $plain->restore('job', 't'), (string) $plain->restore('job', 't', ['ttl' => 5]), (string) $other->restore('job', 't'), (string) $other->restore('job', 't', ['ttl' => 5]));
	foreach ([$plain, $other] as $factory) {
		$lock = $factory->lock('job');
		$_ = $lock->acquire();
		$keys = $redis('KEYS', '*job');
		$say($keys, $factory->restore('job', $lock->detach())->release(), $redis('DBSIZE'));
	}
}

echo "-- a task\n";
$factory = new LockFactory($server->options());
$say($factory->run('job', fn (RedisLock $lock) => [$lock === SequenceTask::current(), $redis('KEYS', '*job'), round($lock->remaining() / 10)]), $redis('DBSIZE'));

echo "-- one connection for all\n";
kill_clients($redis);
for ($i = 0; $i < 3; $i++) {
	$locks[] = $lock = $factory->lock("job$i");
	$_ = $lock->acquire();
	$lock->release();
	unset($lock);
	$locks = [];
}
$say(preg_match_all('/^id=/m', $redis('CLIENT', 'LIST', 'TYPE', 'normal')) - 1);
kill_clients($redis);
$factory = new LockFactory($server->options(['persistent' => false]));
$_ = $factory->lock('job')->acquire();
$say(comes_true(fn () => preg_match_all('/^id=/m', $redis('CLIENT', 'LIST', 'TYPE', 'normal')) === 1));

echo "-- what is wrong is told at once\n";
echo $wrong(fn () => new LockFactory(['tll' => 5])), "\n", $wrong(fn () => new LockFactory([], ['ttl' => 'abc'])), "\n",
	$wrong(fn () => new LockFactory(['tcp://a', 'tcp://b'])), "\n", $wrong(fn () => $factory->lock('')), "\n";
$secret = new LockFactory('redis://:hunter2@localhost');
ob_start();
var_dump($secret);
print_r($secret);
$dumped = ob_get_clean() . $wrong(fn () => new LockFactory('redis://:hunter2@localhost?tll=3'));
$say(str_contains($dumped, 'hunter2'));

echo "-- without the extension\n";
passthru(escapeshellarg(PHP_BINARY) . ' -n -r ' . escapeshellarg('require "' . dirname(__DIR__) . '/inc/adapters.inc"; load_adapters();
	$locks = new RedisLock\LockFactory(); try { $locks->lock("job"); } catch (LogicException $e) { echo $e->getMessage(), "\n"; }'));

echo "-- a node of Laravel's configuration that is wrong\n";
try {
	RedisLock\Options::ofLaravel(['clusters' => ['c' => ['redis://:s3cret@h:x']]], 'c');
} catch (Throwable $e) {
	$say(str_contains((string) $e, '{closure'), str_contains((string) $e, 's3cret'));
}
?>
--EXPECTF--
-- whose options win
["job[9]","job[5]","job[7]","job[5]","job[7]"]
["job[9]","job[5]","job[7]","job[5]"]
[["uri:job"],true,0]
[["own:job"],true,0]
["job[9]","job[5]","job[7]","job[5]","job[7]"]
["job[9]","job[5]","job[7]","job[5]"]
[["uri:job"],true,0]
[["own:job"],true,0]
["job[9]","job[5]","job[7]","job[5]","job[7]"]
["job[9]","job[5]","job[7]","job[5]"]
[["ini:job"],true,0]
[["own:job"],true,0]
-- a task
[[true,["ini:job"],3],0]
-- one connection for all
[1]
[true]
-- what is wrong is told at once
ValueError: RedisLock::__construct(): %sunknown option "tll"%s
TypeError: RedisLock::__construct(): %soption "ttl" must be %s
ValueError: a list of servers needs "service" (sentinels) or "cluster" => true beside it; options of one server have their names as keys
ValueError: RedisLock::__construct(): %soption "name" must not be empty
[false]
-- without the extension
This lock needs the PHP extension redislock, which is not loaded: "pie install redislock/redislock" installs it. For leases predis/predis 3 is enough, for tests RedisLock\Testing\ArrayLockFactory.
-- a node of Laravel's configuration that is wrong
[true,false]
