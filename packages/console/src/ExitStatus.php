<?php

declare(strict_types=1);

namespace RedisLock\Console;

/** What the commands end with: the numbers of sysexits.h. */
final class ExitStatus
{
	/** show, release: nobody holds the lock; doctor: it has found a problem. */
	public const NO = 1;
	/** Wrong arguments. */
	public const USAGE = 64;
	/** Trouble with a server. */
	public const SERVER = 69;
	/** The lock was lost while the command ran. */
	public const LOST = 70;
	/** Somebody else has the lock. */
	public const HELD = 75;
	/** As shells have it. */
	public const NOT_EXECUTABLE = 126;
	public const NOT_FOUND = 127;
	/** The number of a signal is added to it. */
	public const SIGNAL = 128;
}
