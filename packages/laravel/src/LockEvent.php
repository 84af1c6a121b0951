<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Contracts\Events\Dispatcher;

/**
 * An event of a lock, as Laravel's listeners get it.
 *
 * In the boot() of a service provider: `RedisLock\Observe\Observer::start(RedisLock\Laravel\LockEvent::dispatcher($this->app['events']));`
 *
 * @phpstan-import-type Details from \RedisLock\Observe\Observer
 */
final class LockEvent
{
	public function __construct(
		/** acquired, refused, waited, lost, released or unavailable */
		public readonly string $event,
		public readonly string $name,
		/** lease or process-bound; of "unavailable", what took its place: local or skip */
		public readonly string $kind,
		/** Seconds. */
		public readonly ?float $wait,
		public readonly ?float $hold,
		public readonly string $server,
		/** Of "unavailable": why the server could not be asked. */
		public readonly ?string $error = null,
	) {
	}

	/** @return \Closure(string, Details): void */
	public static function dispatcher(Dispatcher $events): \Closure
	{
		return static function (string $event, array $details) use ($events): void {
			/** @var Details $details */
			$events->dispatch(new self($event, ...$details));
		};
	}
}
