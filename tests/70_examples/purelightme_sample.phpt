--TEST--
compat/purelightme.php: a task as it was written for the package
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../../compat/purelightme.php';

use Purelightme\RedisLock\Exception\InternalException;
use Purelightme\RedisLock\RedisLock;
use Purelightme\RedisLock\SequenceTask;

$server = new Server(true);
$config = [
	'host' => '127.0.0.1',
	'port' => $server->port,
	'name' => 'default',
	'ttl' => 60,
	'interval' => 5,
];

function run(array $config, callable $task): string
{
	try {
		return with_holder(fn () => SequenceTask::execute($config, $task));
	} catch (InternalException $e) {
		return 'lock: ' . $e->getMessage();
	} catch (Throwable $e) {
		return 'task: ' . $e->getMessage();
	}
}

$task = function () {
	usleep(50000); /* the work */
	return 'the task has run';
};
echo run($config, $task), "\n";
echo run($config, fn () => throw new Exception('out of paper')), "\n";

$lock = new RedisLock(['name' => 'purelightme', 'ttl' => 60] + $config);
var_dump($lock->acquire(), $lock->keepAlive(), (string) $lock);
echo run(['name' => 'purelightme', 'seconds' => 5] + array_diff_key($config, ['interval' => 0]), $task), "\n";
var_dump($lock->release(), $lock->release());
echo strtok(run(['port' => 1] + $config, $task), '('), "\n";
?>
--EXPECTF--
the task has run
task: out of paper
bool(true)
bool(true)
string(15) "purelightme[60]"
lock: lock "purelightme": held by this process itself; see "reentrant"
bool(true)
bool(false)
lock: lock "default": cannot connect: Connection refused 
