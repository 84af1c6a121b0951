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
		$text = self::format(\RedisLock\stats()['servers'], $labels) .
			'# HELP redislock_unavailable_total ' . self::UNAVAILABLE . ".\n# TYPE redislock_unavailable_total counter\n";
		foreach (Unavailable::counts() as $instead => $count) {
			$text .= 'redislock_unavailable_total' . self::labels(['instead' => $instead] + $labels) . " $count\n";
		}

		return $text;
	}

	/**
	 * @param array<string, Counters> $servers as in RedisLock\stats()
	 * @param array<string, string> $labels
	 */
	public static function format(array $servers, array $labels): string
	{
		$text = '';
		foreach (self::COUNTERS as $counter => $help) {
			$text .= "# HELP redislock_{$counter}_total $help.\n# TYPE redislock_{$counter}_total counter\n";
			foreach ($servers as $server => $counters) {
				$text .= "redislock_{$counter}_total" . self::labels(['server' => (string) $server] + $labels) . " $counters[$counter]\n";
			}
		}
		$text .= "# HELP redislock_wait_seconds Time of acquisitions that did not end with the first try.\n" .
			"# TYPE redislock_wait_seconds histogram\n";
		foreach ($servers as $server => $counters) {
			$text .= self::histogram($counters['waited'], ['server' => (string) $server] + $labels);
		}

		return $text;
	}

	/**
	 * @param array{count: int, seconds: float, histogram: array<array-key, int>} $waited
	 * @param array<string, string> $labels
	 */
	private static function histogram(array $waited, array $labels): string
	{
		$text = '';
		$sum = 0;
		foreach ($waited['histogram'] as $end => $count) {
			$sum += $count;
			$end = $end === 'INF' ? '+Inf' : (string) $end;
			$text .= 'redislock_wait_seconds_bucket' . self::labels($labels + ['le' => $end]) . " $sum\n";
		}

		return $text . 'redislock_wait_seconds_sum' . self::labels($labels) . ' ' . var_export($waited['seconds'], true) . "\n" .
			'redislock_wait_seconds_count' . self::labels($labels) . " $waited[count]\n";
	}

	/** @param array<string, string> $labels */
	private static function labels(array $labels): string
	{
		$pairs = [];
		foreach ($labels as $name => $value) {
			$pairs[] = $name . '="' . strtr($value, ['\\' => '\\\\', '"' => '\\"', "\n" => '\\n']) . '"';
		}

		return '{' . implode(',', $pairs) . '}';
	}
}
