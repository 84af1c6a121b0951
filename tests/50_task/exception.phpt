--TEST--
SequenceTask::execute(): the exception of the callable passes, the lock is free by then
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$config = $s->options(['name' => 'exception']);

foreach ([new DomainException('mine'), new TypeError('also mine')] as $thrown) {
	try {
		SequenceTask::execute($config, fn () => throw $thrown);
		echo "not reached\n";
	} catch (Throwable $caught) {
		var_dump($caught === $thrown, $caught->getPrevious(), $redis('EXISTS', 'exception'));
	}
}

/* finally blocks of the callable still run under the lock. */
try {
	SequenceTask::execute($config, function () use ($redis) {
		try {
			throw new RuntimeException('x');
		} finally {
			echo 'finally, held: ', $redis('EXISTS', 'exception'), "\n";
		}
	});
} catch (RuntimeException) {
	echo 'caught, held: ', $redis('EXISTS', 'exception'), "\n";
}
--EXPECT--
bool(true)
NULL
int(0)
bool(true)
NULL
int(0)
finally, held: 1
caught, held: 0
