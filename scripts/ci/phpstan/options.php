<?php
/*
 * What PHPStan finds in the options, by the stub for IDEs: the lines that say so, and no others. See phpstan.sh.
 */

declare(strict_types=1);

use RedisLock\LockFactory;

/**
 * @phpstan-import-type Options from RedisLock
 */
final class Checked
{
	/**
	 * @param array<string, mixed> $config
	 * @param Options $known
	 */
	public function options(array $config, array $known, LockFactory $locks, string $text, ?float $seconds): void
	{
		new RedisLock(['name' => 'job', 'ttl' => 30]);
		new RedisLock(['name' => 'job', 'ttl' => '2.5', 'wait' => INF, 'renew' => 'on', 'host' => 'db', 'port' => '6379', 'serializer' => 1]);
		new RedisLock('redis://db', ['ttl' => $seconds, 'label' => $text, 'password' => 7, 'on_lost' => 'flag']);
		new RedisLock($known, ['ttl' => 5] + $known);
		new RedisLock($config); // found: nobody knows what is in it, which matters at the levels that are strict about mixed
		new RedisLock(['sentinels' => ['tcp://a'], 'service' => 'main', 'name' => $text, 'ssl' => ['cafile' => $text]]);
		new RedisLock(['servers' => [['a', 1], 'b:2'], 'database' => null]);
		new RedisLock(['tcp://a', 'tcp://b'], ['replication' => 'sentinel', 'service' => 'main']);
		new RedisLock(['name' => 'job', 'ttl' => 'abc']); // found
		new RedisLock(['name' => 'job', 'wait' => true]); // found
		new RedisLock('redis://db', ['ttl' => []]); // found
		new RedisLock(['name' => ['job']]); // found
		new RedisLock(['on_lost' => 'ignore']); // found
		new RedisLock(['renew' => 'perhaps']); // found
		new RedisLock(['permits' => 3, 'weight' => '2', 'shared' => null]);
		new RedisLock(['permits' => 'many']); // found
		new RedisLock(['shared' => 'perhaps']); // found
		new RedisLock(['port' => [6379]]); // found
		new RedisLock(['port' => getenv('REDIS_PORT') ?: null, 'read_timeout' => '0.5', 'database' => $text]);
		new RedLock([['a', 1]], 200, 3, ['read_timeout' => true]); // found
		new RedLock([['a', 1]], 200, 3, ['read_timeout' => 0.1, 'renew' => true]);
		SequenceTask::execute(['name' => 'job', 'ttl' => 'abc'], 'time'); // found
		SequenceTask::execute(['name' => 'job', 'ttl' => 5], 'time');
		$lock = RedisLock::restore(['ttl' => 5], 'job', $text);
		$lock->lock('other', RedisLock::BLOCKED, ['waitTime' => 'ten']); // found
		$lock->lock('other', RedisLock::BLOCKED, ['waitTime' => 10, 'expiredTime' => '5']);
		RedisLock::restore(['ttl' => 'abc'], 'job', $text); // found
		new LockFactory('redis://db', ['ttl' => 'abc']); // found
		new LockFactory($known, ['ttl' => 3]);
		$locks->lock('job', ['ttl' => 'abc']); // found
		$locks->run('job', 'time', ['wait' => 'long']); // found
		echo $locks->run('job', static fn (RedisLock\Lock $lock): string => $lock->getName(), ['wait' => 5]);
		echo strlen($locks->run('job', static fn (): int => 1)); // found: what a callable returns is what run() returns
	}
}
