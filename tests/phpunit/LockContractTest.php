<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;

/** Each implementation of Lock does what a lock in memory does, in every scenario of the contracts that it keeps. */
final class LockContractTest extends TestCase
{
	/** @return iterable<string, array{class-string, string, string}> */
	public static function scenarios(): iterable
	{
		foreach (IMPLEMENTATIONS as $name => $implementation) {
			foreach ($implementation::CONTRACTS as $contract) {
				foreach (array_keys(contracts()[$contract]) as $scenario) {
					yield "$name, $contract: $scenario" => [$implementation, $contract, (string) $scenario];
				}
			}
		}
	}

	/** @dataProvider scenarios */
	#[PHPUnit\Framework\Attributes\DataProvider('scenarios')]
	public function testDoesWhatALockInMemoryDoes(string $implementation, string $contract, string $scenario): void
	{
		if (($missing = $implementation::missing()) !== null) {
			self::markTestSkipped($missing);
		}
		/* Several names are no less than one. */
		$expected = seen(new InMemory, $contract === 'several names' ? 'every lock' : $contract, $scenario);
		/* Mostly the time is real. */
		$said = unless_stalled(function () use ($implementation, $contract, $scenario): string {
			try {
				return is_a($implementation, Surroundings::class, true) ? seen(new $implementation, $contract, $scenario) :
					$implementation::see($contract, $scenario);
			} catch (RedisLock\Exception $e) {
				return (string) $e;
			}
		}, fn (string $said) => $said === $expected);
		self::assertSame($expected, $said);
	}
}
