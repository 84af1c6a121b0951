--TEST--
the exception of the task is what the caller sees, whatever happens to the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server(false, ...UNTRACKED); /* whoever is told may throw that before the task does */
$redis = $s->client();
$config = $s->options(['name' => 'business_exception', 'ttl' => 30]);
/* Beside its first request to a server the renewal child asks to be told. Once refused, it does not look between renewals. */
$first = new RedisLock($config + ['renew' => true, 'interval' => 0.1]);
echo 'refused: ', json_encode($first->acquire() && is_renewed($redis, 'business_exception')), "\n";
$first->release();
$damages = [
	'no damage' => fn () => null,
	'key deleted' => fn () => $redis('DEL', 'business_exception'),
	'taken over' => fn () => $redis('SET', 'business_exception', 'next', 'PX', 1),
	'released' => fn ($lock) => $lock->release(),
	'connections cut' => fn () => $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
	'lost and told' => function () use ($redis) {
		try {
			$redis('DEL', 'business_exception');
			for (;;);
		} catch (RedisLock\LockLostException) {
		}
	},
];
foreach ($damages as $name => $damage) {
	wait_until(fn () => !$redis('EXISTS', 'business_exception'));
	try {
		/* Elsewhere the next renewal is far, so that the damage is not found before the exception is thrown. */
		SequenceTask::execute($config + ['interval' => $name === 'lost and told' ? 0.1 : 15], function (RedisLock $lock) use ($damage) {
			$damage($lock);
			throw new DomainException('business');
		});
	} catch (Throwable $e) {
		echo "$name: ", get_class($e), ' ', $e->getMessage(), "\n";
	}
}
--EXPECT--
refused: true
no damage: DomainException business
key deleted: DomainException business
taken over: DomainException business
released: DomainException business
connections cut: DomainException business
lost and told: DomainException business
