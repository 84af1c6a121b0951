--TEST--
SequenceTask::execute(): trouble on release never masks the callable's own exception
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
/* Lets the renewal child finish what was left to it. */
$finished = fn () => wait_until(fn () => str_contains($s->client()('INFO', 'commandstats'), 'cmdstat_eval:'));
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
	$finished();
	SequenceTask::execute($s->options(['name' => 'release_trouble_chained', 'ttl' => 30]), function () use ($s) {
		$s->kill();
		throw new DomainException('business', 0, new LogicException('its own'));
	});
} catch (DomainException $e) {
	echo $e->getMessage(), ', previous: ', get_class($e->getPrevious()), ', ', get_class($e->getPrevious()->getPrevious()), "\n";
}

$s->start();
$finished();
--EXPECT--
business, previous: RedisLock\ConnectionException
business, previous: LogicException, RedisLock\ConnectionException
