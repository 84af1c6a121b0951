--TEST--
compat/purelightme.php: a script written for that package runs unchanged
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(true);
$redis = $s->client();

$sample = <<<'SAMPLE'
use Purelightme\RedisLock\Exception\InternalException;
use Purelightme\RedisLock\RedisLock;
use Purelightme\RedisLock\SequenceTask;

$config = ['host' => '127.0.0.1', 'port' => $port, 'name' => 'purelightme_sample', 'ttl' => 60, 'interval' => 5];

function attempt(array $config, callable $job)
{
	try {
		$result = SequenceTask::execute($config, $job);
	} catch (InternalException $exception) {
		$result = 'internal';
	} catch (Throwable $exception) {
		$result = 'of the job: ' . $exception->getMessage();
	}
	var_dump($result);
}
attempt($config, fn () => 'job execute success');
attempt($config, fn () => throw new LogicException('job failed'));
attempt($config, fn () => new LogicException('returned') instanceof Throwable);

/* Taken by hand, without renewal. */
$lock = new RedisLock($config);
var_dump($lock->acquire());
attempt($config, fn () => print("must not run\n"));
var_dump($lock->keepAlive(), $lock->release());
attempt(['port' => 1] + $config, fn () => print("must not run\n"));
SAMPLE;

$php = new Php('require $argv[1]; $port = (int) $argv[2]; require $argv[3];',
	[dirname(__DIR__, 2) . '/compat/purelightme.php', (string) $s->port, "$s->dir/sample.php"]);
file_put_contents("$s->dir/sample.php", "<?php\n$sample");
echo $php->rest();
var_dump($redis('EXISTS', 'purelightme_sample'));
--EXPECT--
string(19) "job execute success"
string(22) "of the job: job failed"
bool(true)
bool(true)
string(8) "internal"
bool(true)
bool(true)
string(8) "internal"
int(0)
