<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use RedisLock\Adapter\Failure;

/** @internal The counters of the process, and the observer. */
final class Stats
{
	private const COUNTERS = ['acquired' => 0, 'refused' => 0, 'waited' => ['count' => 0, 'seconds' => 0.0, 'histogram' => ['0.001' => 0, '0.005' => 0, '0.01' => 0,
		'0.05' => 0, '0.1' => 0, '0.5' => 0, 1 => 0, 5 => 0, 10 => 0, 60 => 0, 'INF' => 0]], 'lost' => 0, 'released' => 0, 'released_late' => 0, 'renewed' => 0,
		'renewal_failures' => 0, 'reconnects' => 0, 'stale' => 0];
	/** @var array<int, array<string, mixed>> by process: a copy counts from zero */
	private static array $servers = [];
	private static ?\Closure $observer = null;
	/** @var list<array{string, array<string, mixed>}> not delivered yet */
	private static array $events = [];
	private static bool $isDelivering = false;

	/** @return array<string, mixed> */
	public static function all(): array
	{
		$servers = self::$servers[(int) getmypid()] ?? [];
		/** @var array<string, mixed> $sum */
		$sum = array_reduce($servers, self::sum(...), self::COUNTERS);

		return $sum + ['servers' => $servers, 'implementation' => 'polyfill'];
	}

	private static function sum(mixed $a, mixed $b): mixed
	{
		return is_array($a) && is_array($b) ? array_combine(array_keys($a), array_map(self::sum(...), $a, $b)) : (is_numeric($a) && is_numeric($b) ? $a + $b : 0);
	}

	public static function observe(?callable $observer): void
	{
		self::$observer = $observer === null ? null : $observer(...);
	}

	public static function count(string $server, string $counter, ?int $waited = null): void
	{
		$more = [$counter => 1] + self::COUNTERS;
		if ($waited !== null) {
			$ends = array_filter(array_keys(self::COUNTERS['waited']['histogram']), static fn (int|string $end): bool => $end === 'INF' || $waited <= 1000 * (float) $end);
			$more['waited'] = ['count' => 1, 'seconds' => $waited / 1000, 'histogram' => array_replace(self::COUNTERS['waited']['histogram'], [reset($ends) => 1])];
		}
		$counted = &self::$servers[(int) getmypid()][$server];
		$counted = self::sum($counted ?? self::COUNTERS, array_replace(self::COUNTERS, $more));
	}

	/** Counts what happened to a lock, and keeps the event; $waited: ms. */
	public static function tell(Hold $hold, string $event, ?int $waited = null): void
	{
		self::count($hold->server->uri, $event, $waited);
		// Locks that the observer uses itself cause no events.
		if (self::$observer === null || self::$isDelivering) {
			return;
		}
		$ends = in_array($event, ['lost', 'released'], true);
		$details = ['name' => $hold->name, 'kind' => 'lease', 'wait' => $ends ? null : ($waited ?? 0) / 1000.0,
			'hold' => $ends && $hold->acquiredAt > 0 ? (Server::now() - $hold->acquiredAt) / 1000.0 : null, 'server' => $hold->server->uri];
		foreach ([...($waited !== null ? ['waited'] : []), $event] as $told) {
			self::$events[] = [$told, $details];
		}
	}

	/** Tells the observer of the events that wait for it, when the method that caused them is done. */
	public static function deliver(): void
	{
		if (self::$isDelivering) {
			return;
		}
		self::$isDelivering = true;
		while (($event = array_shift(self::$events)) !== null) {
			try {
				self::$observer?->__invoke(...$event);
			} catch (\Throwable $e) {
				Failure::ofObserver($e);
			}
		}
		self::$isDelivering = false;
	}
}
