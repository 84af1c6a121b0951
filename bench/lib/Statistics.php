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
