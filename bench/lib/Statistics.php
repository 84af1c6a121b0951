<?php
/*
 * Statistics: medians and quantiles. Nothing is averaged, since one late scheduling decision of the machine
 * would then decide the result.
 */
declare(strict_types=1);

namespace Bench;

final class Statistics
{
	/**
	 * The value below which the fraction $q of the values lie, interpolated between neighbours.
	 *
	 * @param list<float|int> $values  at least one
	 */
	public static function quantile(array $values, float $q): float
	{
		sort($values);
		$at = $q * (count($values) - 1);
		$low = (int) floor($at);
		$high = (int) ceil($at);

		return $values[$low] + ($at - $low) * ($values[$high] - $values[$low]);
	}

	/** @param list<float|int> $values  at least one */
	public static function median(array $values): float
	{
		return self::quantile($values, 0.5);
	}

	/**
	 * The 95 % interval of the median, by order statistics.
	 *
	 * @param list<float|int> $values  at least one
	 * @return array{float|int, float|int}
	 */
	public static function medianInterval(array $values): array
	{
		sort($values);
		$n = count($values);
		// 1.96: the normal distribution's 97.5 % point; half the values lie below the median, give or take sqrt(n) / 2.
		$low = max(0, (int) floor($n / 2 - 1.96 * sqrt($n) / 2) - 1);

		return [$values[$low], $values[$n - 1 - $low]];
	}

	/**
	 * Is a limit met? "PASS": by the 99th percentile, "median": by the median only.
	 *
	 * @param list<float|int> $values  at least one
	 */
	public static function verdict(array $values, float $limit): string
	{
		if (self::quantile($values, 0.99) <= $limit) {
			return 'PASS';
		}

		return self::median($values) <= $limit ? 'median' : 'FAIL';
	}
}
