--TEST--
SequenceTask::execute(): trouble on release never masks the callable's own exception
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
try {
	SequenceTask::execute($s->options(['name' => 'release_trouble_chained', 'ttl' => 30]), function () use ($s) {
		$s->kill();
		throw new DomainException('business');
	});
} catch (DomainException $e) {
	echo $e->getMessage(), ', previous: ', get_class($e->getPrevious()), "\n";
}
try {
	$s->start();
	SequenceTask::execute($s->options(['name' => 'release_trouble_chained', 'ttl' => 30]), function () use ($s) {
		$s->kill();
		throw new DomainException('business', 0, new LogicException('its own'));
	});
} catch (DomainException $e) {
	echo $e->getMessage(), ', previous: ', get_class($e->getPrevious()), ', ', get_class($e->getPrevious()->getPrevious()), "\n";
}

/* Lets the renewal child finish what was left to it. */
$s->start();
wait_until(fn () => str_contains($s->client()('INFO', 'commandstats'), 'cmdstat_eval:'));
--EXPECT--
business, previous: RedisLock\ConnectionException
business, previous: LogicException, RedisLock\ConnectionException
