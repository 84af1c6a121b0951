<?php
/**
 * What happened, a line each, in one file to which all processes append. docs/internals/histories.md has the form; the driver is
 * its "nemesis".
 *
 * The clock is CLOCK_MONOTONIC (hrtime()), the same for all processes of a machine. It differs from CLOCK_BOOTTIME, by
 * which locks are valid, only while the machine is suspended; asleep() tells whether it was.
 */
final class History
{
	public const VERSION = 1;

	private $file;

	public function __construct(string $path, private string $who)
	{
		$this->file = fopen($path, 'a');
	}

	public function note(string $type, string $f, mixed ...$more): void
	{
		$this->noteAt(hrtime(true), $type, $f, ...$more);
	}

	/** One write(2) to a file opened for appending: lines of several processes never mix. Times of PHP are in ns, those of the file in us. */
	public function noteAt(int $at, string $type, string $f, mixed ...$more): void
	{
		$more = array_filter($more, fn ($value) => $value !== null);
		if (isset($more['until'])) {
			$more['until'] = intdiv($more['until'], 1000);
		}
		fwrite($this->file, json_encode(['time' => intdiv($at, 1000), 'process' => $this->who, 'type' => $type, 'f' => $f] + $more,
			JSON_UNESCAPED_SLASHES | JSON_INVALID_UTF8_SUBSTITUTE) . "\n");
	}

	/** Seconds the machine has been suspended so far, and whatever CLOCK_MONOTONIC began with; exact to 10 ms. */
	public static function asleep(): float
	{
		return (float) file_get_contents('/proc/uptime') - hrtime(true) / 1e9;
	}
}
