<?php

declare(strict_types=1);

namespace RedisLock\Observe;

use RedisLock\Adapter\Unavailable;

/**
 * The numbers of RedisLock\stats() in the text format of Prometheus, for a page that it reads.
 *
 * They are those of the process that makes the page. Of PHP-FPM, where each worker has its own, sum them over the label `pid`.
 *
 * @phpstan-type Counters array{acquired: int, refused: int, waited: array{count: int, seconds: float, histogram: array<array-key, int>},
 *     lost: int, released: int, released_late: int, renewed: int, renewal_failures: int, reconnects: int, stale: int}
 */
final class Prometheus
{
	/** To be sent with the text. */
	public const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

	/** Those of RedisLock\stats() that are plain numbers, with what each counts. */
	public const COUNTERS = [
		'acquired' => 'Locks that were acquired',
		'refused' => 'Acquisitions that somebody else has refused by holding the lock',
		'lost' => 'Locks that turned out not to be ours any more',
		'released' => 'Releases that the server has confirmed',
		'released_late' => 'Those of them after the validity was over',
		'renewed' => 'Renewals that a server has confirmed',
		'renewal_failures' => 'Renewals that failed',
		'reconnects' => 'Connections opened after the first of an object',
		'stale' => 'Connections found closed by the server',
	];

	/** What LockFactory::whenUnavailable() has answered for. */
	public const UNAVAILABLE = 'Acquisitions for which the server could not be asked';

	/** @param array<string, string> $labels in addition to `server` and `pid` */
	public static function text(array $labels = []): string
	{
		$labels += ['pid' => (string) getmypid()];
		$unavailable = [];
		foreach (Unavailable::counts() as $instead => $count) {
			$unavailable[] = ['', ['instead' => $instead] + $labels, $count];
		}

		return self::format(\RedisLock\stats()['servers'], $labels) .
			self::metric('redislock_unavailable_total', 'counter', self::UNAVAILABLE, $unavailable);
	}

	/**
	 * @param array<string, Counters> $servers as in RedisLock\stats()
	 * @param array<string, string> $labels
	 */
	public static function format(array $servers, array $labels): string
	{
		$text = '';
		foreach (self::COUNTERS as $counter => $help) {
			$values = array_map(static fn (int|string $server, array $counters): array => ['', ['server' => (string) $server] + $labels, $counters[$counter]],
				array_keys($servers), $servers);
			$text .= self::metric("redislock_{$counter}_total", 'counter', $help, $values);
		}
		$waits = [];
		foreach ($servers as $server => ['waited' => $waited]) {
			$of_server = ['server' => (string) $server] + $labels;
			$sum = 0;
			foreach ($waited['histogram'] as $end => $count) {
				$waits[] = ['_bucket', $of_server + ['le' => $end === 'INF' ? '+Inf' : (string) $end], $sum += $count];
			}
			array_push($waits, ['_sum', $of_server, $waited['seconds']], ['_count', $of_server, $waited['count']]);
		}

		return $text . self::metric('redislock_wait_seconds', 'histogram', 'Time of acquisitions that did not end with the first try', $waits);
	}

	/**
	 * @internal
	 * @param list<array{string, array<string, string>, int|float}> $values with what their names end in, and labels
	 */
	public static function metric(string $name, string $type, string $help, array $values): string
	{
		$text = "# HELP $name $help.\n# TYPE $name $type\n";
		foreach ($values as [$end, $labels, $value]) {
			$pairs = [];
			foreach ($labels as $label => $content) {
				$pairs[] = "$label=\"" . strtr($content, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
			}
			$text .= $name . $end . ($pairs === [] ? '' : '{' . implode(',', $pairs) . '}') . ' ' . (is_float($value) ? var_export($value, true) : $value) . "\n";
		}

		return $text;
	}
}
