--TEST--
compat/purelightme.php: loads twice, and all our exceptions are InternalException
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../../compat/purelightme.php';
require __DIR__ . '/../../compat/purelightme.php';

use Purelightme\RedisLock\Exception\InternalException;
use Purelightme\RedisLock\SequenceTask;

$server = new Server();
$config = $server->options(['name' => 'purelightme_exceptions', 'ttl' => 3, 'interval' => 0.1]);

function attempt(callable $code): void
{
	try {
		with_holder($code);
		echo "no exception\n";
	} catch (InternalException $e) {
		echo $e->getMessage(), ' | ', var_export($e instanceof RedisLock\Exception, true), ' | ',
			preg_replace('~/.*/~', '/', $e->getNode() ?? 'no node'), ' | ', var_export($e->isRetryable(), true), "\n";
	}
}

attempt(fn () => SequenceTask::execute(['unix_socket' => "$server->dir/nobody"] + $config, fn () => 1));
attempt(fn () => SequenceTask::execute($config, function () use ($server) {
	var_dump(SequenceTask::current() instanceof RedisLock);
	$server->client()('DEL', 'purelightme_exceptions');
	for ($end = now() + 20; now() < $end;);
}));
attempt(fn () => SequenceTask::execute($config, fn () => throw new InternalException('a reason of our own')));
attempt(fn () => SequenceTask::execute($config, fn () =>
	SequenceTask::execute($config, fn () => throw new LogicException('not reached'))));
?>
--EXPECTF--
lock "purelightme_exceptions": cannot connect: No such file or directory (unix:///%snobody) | true | unix:/nobody | %s
bool(true)
lock "purelightme_exceptions" was lost: its key was deleted or has another owner | true | no node | false
a reason of our own | true | no node | false
lock "purelightme_exceptions": held by this process itself; see "reentrant" | true | no node | true
