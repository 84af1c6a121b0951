<?php

declare(strict_types=1);

namespace App;

use PHPUnit\Framework\TestCase;
use RedisLock\LockLostException;
use RedisLock\Testing\ArrayLockFactory;

/** Needs neither a server nor the extension. */
final class NightlyReportTest extends TestCase
{
	private ArrayLockFactory $locks;
	/** @var list<string> */
	private array $written = [];

	protected function setUp(): void
	{
		$this->locks = new ArrayLockFactory();
	}

	public function testWritesTheReportAndFreesTheLock(): void
	{
		self::assertTrue($this->report()->run());
		self::assertSame(['north', 'south'], $this->written);
		self::assertSame([], $this->locks->taken());
	}

	public function testLeavesTheReportToAnotherProcess(): void
	{
		self::assertTrue($this->locks->lock('nightly-report')->acquire());

		self::assertFalse($this->report()->run());
		self::assertSame(5.0, $this->locks->now(), 'It waits for 5 s, and the clock of the locks alone knows.');
		self::assertSame([], $this->written);
	}

	public function testWaitsForAnotherProcess(): void
	{
		$other = $this->locks->lock('nightly-report');
		self::assertTrue($other->acquire());
		$this->locks->after(3, $other->release(...));

		self::assertTrue($this->report()->run());
		self::assertSame(3.0, $this->locks->now());
	}

	public function testStopsWhenTheLockIsLost(): void
	{
		$report = $this->report(fn () => $this->locks->lose('nightly-report'));
		try {
			$report->run();
			self::fail('Nobody was told of the loss.');
		} catch (LockLostException) {
			self::assertSame(['north'], $this->written);
		}
	}

	public function testMayTakeLongerThanTheTtl(): void
	{
		self::assertTrue($this->report(fn () => $this->locks->advance(3600))->run());
	}

	private function report(?callable $meanwhile = null): NightlyReport
	{
		return new NightlyReport($this->locks, function (string $region) use ($meanwhile): void {
			$this->written[] = $region;
			$meanwhile === null || $meanwhile();
		});
	}
}
