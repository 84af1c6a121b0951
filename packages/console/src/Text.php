<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * @internal Words for people. Names and labels are anybody's: nothing in them reaches the terminal as a command.
 * @phpstan-import-type Holder from HeldLock
 */
final class Text
{
	/** The same without control characters. */
	public static function plain(string $text): string
	{
		return preg_replace('/[\x00-\x1f\x7f]|\xc2[\x80-\x9f]/', '?', $text) ?? '';
	}

	/** Seconds, in at most five characters: 1.5s, 42s, 12m, 5h, 3d. */
	public static function time(?float $seconds): string
	{
		return match (true) {
			$seconds === null => '-',
			$seconds < 10 => sprintf('%.1Fs', $seconds),
			$seconds < 100 => sprintf('%.0Fs', $seconds),
			$seconds < 6000 => sprintf('%.0Fm', $seconds / 60),
			$seconds < 360_000 => sprintf('%.0Fh', $seconds / 3600),
			default => sprintf('%.0Fd', $seconds / 86_400),
		};
	}

	/**
	 * Who holds a lock, in a sentence.
	 *
	 * @param Holder $holder
	 */
	public static function holder(array $holder): string
	{
		$who = match (true) {
			$holder['resting'] => 'nobody: it rests',
			$holder['host'] === null => 'another library',
			default => "process $holder[pid] on $holder[host]",
		};

		return self::plain($holder['label'] === null ? $who : "$who ($holder[label])");
	}
}
