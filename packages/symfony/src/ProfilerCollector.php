<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Observe\Observer;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\DataCollector\DataCollector;
use Symfony\Component\HttpKernel\DataCollector\LateDataCollectorInterface;

/**
 * What happened to the locks of a request or command, for Symfony's profiler. RedisLockBundle registers it in debug mode, beside the
 * WebProfilerBundle.
 *
 * @phpstan-import-type Details from Observer
 */
final class ProfilerCollector extends DataCollector implements LateDataCollectorInterface, EventSubscriberInterface
{
	/** Further events count, but are not listed: a command may lock for hours. */
	private const LISTED = 1000;
	/** Before those that may lock. */
	private const FIRST = 8192;

	/** @var list<array{event: string, details: Details}> */
	private array $events = [];
	/** @var array<string, int> */
	private array $counts = [];
	private float $waited = 0.0;

	public static function getSubscribedEvents(): array
	{
		return ['kernel.request' => ['observe', self::FIRST], 'console.command' => ['observe', self::FIRST]];
	}

	/** The extension forgets the function with each PHP request. */
	public function observe(): void
	{
		Observer::beside($this->note(...));
	}

	/** Nothing yet: locks are released until late. */
	public function collect(Request $request, Response $response, ?\Throwable $exception = null): void
	{
	}

	public function lateCollect(): void
	{
		$this->data = ['events' => $this->events, 'counts' => $this->counts, 'waited' => $this->waited];
	}

	public function reset(): void
	{
		[$this->data, $this->events, $this->counts, $this->waited] = [[], [], [], 0.0];
	}

	public function getName(): string
	{
		return 'redislock';
	}

	/** @return array<mixed> of arrays with `event` and `details`, in their order */
	public function getEvents(): array
	{
		return (array) ($this->data['events'] ?? []);
	}

	/** How many events there were; of this kind only, if one is given. */
	public function count(?string $event = null): int
	{
		$counts = array_filter((array) ($this->data['counts'] ?? []), is_int(...));

		return $event === null ? array_sum($counts) : $counts[$event] ?? 0;
	}

	/** Seconds. */
	public function getWaited(): float
	{
		$waited = $this->data['waited'] ?? 0.0;

		return is_float($waited) ? $waited : 0.0;
	}

	/** @param Details $details */
	private function note(string $event, array $details): void
	{
		$this->counts[$event] = ($this->counts[$event] ?? 0) + 1;
		$this->waited += $event === 'waited' ? $details['wait'] : 0.0;
		if (count($this->events) < self::LISTED) {
			$this->events[] = ['event' => $event, 'details' => $details];
		}
	}
}
