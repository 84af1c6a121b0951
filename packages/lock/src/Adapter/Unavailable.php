<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use RedisLock\ConnectionException;
use RedisLock\Lock;
use RedisLock\Locks;
use RedisLock\Observe\Observer;

/**
 * @internal What LockFactory::whenUnavailable() was told, and how long the server is not asked again.
 * @phpstan-import-type Options from \RedisLock
 */
final class Unavailable
{
	/** Options of a lock that count here: those that locks of one machine have, too, and two that nothing can stand in for. */
	public const OPTIONS = ['prefix', 'label', 'wait', 'waitTime', ...self::IRREPLACEABLE];
	private const IRREPLACEABLE = ['fence', 'reentrant'];

	/** @var array<string, int> how often each answer was given in this process */
	private static array $counts = [];

	private ?ConnectionException $trouble = null;
	private float $askAt = 0.0;

	/** @param Locks|null $then null: skip */
	public function __construct(private readonly ?Locks $then, private readonly float $pause)
	{
	}

	/** @return array<string, int> */
	public static function counts(): array
	{
		return self::$counts;
	}

	/** The trouble that the server had a moment ago; null: it is to be asked. */
	public function trouble(): ?ConnectionException
	{
		return hrtime(true) / 1e9 < $this->askAt ? $this->trouble : null;
	}

	/** The server could not be asked. Trouble that stays, as a wrong password does, is thrown again. */
	public function begin(ConnectionException $trouble): ConnectionException
	{
		if (!$trouble->isRetryable()) {
			throw $trouble;
		}
		[$this->trouble, $this->askAt] = [$trouble, hrtime(true) / 1e9 + $this->pause];

		return $trouble;
	}

	/**
	 * What takes the place of a lock of the server, this once.
	 *
	 * @param array<string, mixed> $options of the lock, as far as OPTIONS
	 * @param float $waited how many seconds of the wait are over
	 * @return Lock|null null: nothing does
	 */
	public function instead(string $name, array $options, float $waited, ConnectionException $trouble): ?Lock
	{
		if ($this->then !== null && array_intersect_key($options, array_flip(self::IRREPLACEABLE)) !== []) {
			throw $trouble;
		}
		$then = $this->then === null ? 'skip' : 'local';
		self::$counts[$then] = (self::$counts[$then] ?? 0) + 1;
		try {
			Observer::report('unavailable', ['name' => $name, 'kind' => $then, 'wait' => null, 'hold' => null,
				'server' => $trouble->getNode() ?? '', 'error' => $trouble->getMessage()]);
		} catch (\Throwable $e) {
			Failure::ofObserver($e);
		}

		foreach (array_intersect_key($options, ['wait' => 0, 'waitTime' => 0]) as $option => $wait) {
			$options[$option] = is_numeric($wait) ? self::left((float) $wait, $waited) : $wait;
		}
		/** @var Options $options */
		return $this->then?->lock($name, $options);
	}

	/** Of a wait, in whole milliseconds. One that is wrong stays so. */
	public static function left(float $wait, float $waited): float
	{
		return $waited > 0 && $wait > 0 ? round(max(0.0, $wait - $waited), 3) : $wait;
	}
}
