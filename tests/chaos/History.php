<?php
/**
 * What happened, a line each, in one file to which all processes append: time in ns, who, what, and more.
 *
 *     begin TEXT                          how the run was started
 *     worker KIND PID                     a process of ours begins to work
 *     room NAME N                         so many may be inside (1 unless told)
 *     wants NAME WEIGHT                   it is about to wait for room for so many (variant holders)
 *     without                             it waits no more, in vain
 *     line NAME                           it is about to line up for the lock (variant queue)
 *     late NS                             for so long, while it was in line, it could have run and was not let
 *     enter NAME UNTIL FENCE [WEIGHT]     it has the lock, valid until then as it says itself; - without fence
 *     leave UNTIL FILE REDIS              it is about to release; 0: no longer valid. What it has counted up to: a number,
 *                                         "refused", or - for nothing
 *     lost FILE REDIS                     it left by an exception, some time before this; what it knows to have counted
 *     denied                              release() said "not ours"
 *     kill, stop, go                      the driver is about to do that to a process
 *     fault TEXT, healed TEXT             the driver is about to do that, has undone it
 *     failover TEXT                       what may lose locks begins
 *     switched TEXT                       a sentinel may have named another master from this moment on
 *     warned TEXT, trouble TEXT           a warning, an exception that belongs to chaos
 *     wrong TEXT                          one that does not
 *     count NAME FILE REDIS               at the end: what the stores say
 *     left TEXT                           at the end: what should not be there any more
 *     end                                 at the end
 *
 * The clock is CLOCK_MONOTONIC (hrtime()), the same for all processes of a machine. It differs from CLOCK_BOOTTIME, by
 * which locks are valid, only while the machine is suspended; asleep() tells whether it was.
 */
final class History
{
	private $file;

	public function __construct(string $path, private string $who)
	{
		$this->file = fopen($path, 'a');
	}

	/** One write(2) to a file opened for appending: lines of several processes never mix. */
	public function note(string $what, string|int ...$more): void
	{
		$this->noteAt(hrtime(true), $what, ...$more);
	}

	public function noteAt(int $at, string $what, string|int ...$more): void
	{
		fwrite($this->file, strtr("$at $this->who $what " . implode(' ', $more), "\r\n", '  ') . "\n");
	}

	/** Seconds the machine has been suspended so far, and whatever CLOCK_MONOTONIC began with; exact to 10 ms. */
	public static function asleep(): float
	{
		return (float) file_get_contents('/proc/uptime') - hrtime(true) / 1e9;
	}
}
