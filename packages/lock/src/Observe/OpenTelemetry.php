<?php

declare(strict_types=1);

namespace RedisLock\Observe;

use OpenTelemetry\API\Common\Time\Clock;
use OpenTelemetry\API\Metrics\CounterInterface;
use OpenTelemetry\API\Metrics\HistogramInterface;
use OpenTelemetry\API\Metrics\MeterInterface;
use OpenTelemetry\API\Metrics\ObserverInterface;
use OpenTelemetry\API\Trace\TracerInterface;

/**
 * The numbers and events of locks as metrics of OpenTelemetry, and waits as spans if there is a tracer. A receiver for
 * Observer::start(), which keeps it alive.
 *
 * Metrics say nothing of the name of a lock: there may be any number of names. Spans do.
 *
 * @phpstan-import-type Details from Observer
 * @phpstan-import-type Counters from Prometheus
 */
final class OpenTelemetry
{
	/** Upper ends in seconds, as in RedisLock\stats(): those of OpenTelemetry are meant for milliseconds. */
	private const BOUNDARIES = ['ExplicitBucketBoundaries' => [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60]];

	/**
	 * What was counted before the first of these was made, in this PHP request: PHP-FPM makes a meter for each request, and counts
	 * for longer.
	 *
	 * @var array<string, Counters>|null
	 */
	private static ?array $before = null;

	private readonly HistogramInterface $waits;
	private readonly HistogramInterface $holds;
	private readonly CounterInterface $unavailable;

	public function __construct(MeterInterface $meter, private readonly ?TracerInterface $tracer = null)
	{
		self::$before ??= \RedisLock\stats()['servers'];
		$this->waits = $meter->createHistogram('redislock.wait.duration', 's', 'Time of acquisitions that did not end with the first try',
			self::BOUNDARIES);
		$this->holds = $meter->createHistogram('redislock.hold.duration', 's', 'Time for which locks were held', self::BOUNDARIES);
		$this->unavailable = $meter->createCounter('redislock.unavailable', null, Prometheus::UNAVAILABLE);
		$counters = [];
		foreach (Prometheus::COUNTERS as $counter => $description) {
			$counters[] = $meter->createObservableCounter("redislock.$counter", null, $description);
		}
		// Bound to this object, so that the meter forgets it with the object.
		$meter->batchObserve(function (ObserverInterface ...$observers): void {
			$this->count(array_values($observers));
		}, ...$counters);
	}

	/** @param Details $details */
	public function __invoke(string $event, array $details): void
	{
		$attributes = self::server($details['server']) + ['redislock.kind' => $details['kind']];
		if ($event === 'waited' && $details['wait'] !== null) {
			$this->waits->record($details['wait'], $attributes);
			$this->span($details['wait'], ['redislock.name' => $details['name']] + $attributes);
		} elseif ($event === 'unavailable') {
			$this->unavailable->add(1, $attributes + ['error.type' => \RedisLock\ConnectionException::class]);
		} elseif (($event === 'released' || $event === 'lost') && $details['hold'] !== null) {
			$this->holds->record($details['hold'], $attributes + ($event === 'lost' ? ['error.type' => \RedisLock\LockLostException::class] : []));
		}
	}

	/** @param list<ObserverInterface> $observers one for each of Prometheus::COUNTERS */
	private function count(array $observers): void
	{
		foreach (\RedisLock\stats()['servers'] as $server => $counters) {
			foreach (array_keys(Prometheus::COUNTERS) as $i => $counter) {
				$observers[$i]->observe($counters[$counter] - (self::$before[$server][$counter] ?? 0), self::server((string) $server));
			}
		}
	}

	/** @return array<non-empty-string, string|int> by the conventions for databases; several servers, or a socket, are one address */
	private static function server(string $server): array
	{
		$parts = preg_match('~^[a-z]+://(.+):(\d+)$~D', $server, $found) && !str_contains($server, ' ')
			? ['server.address' => trim($found[1], '[]'), 'server.port' => (int) $found[2]]
			: ['server.address' => preg_replace('~^unix://~', '', $server) ?? $server];

		return ['db.system.name' => 'redis'] + $parts;
	}

	/** @param array<non-empty-string, string|int> $attributes */
	private function span(float $seconds, array $attributes): void
	{
		$now = Clock::getDefault()->now();
		$this->tracer?->spanBuilder('redislock.wait')->setStartTimestamp($now - (int) ($seconds * 1e9))->setAttributes($attributes)
			->startSpan()->end($now);
	}
}
