<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\PredisException;

/** @internal A server cannot be reached, or does not answer what it is asked. */
final class ServerTrouble extends \RuntimeException
{
	/**
	 * What this returns; what Predis has to say of it, in a sentence.
	 *
	 * @template T
	 * @param \Closure(): T $code
	 * @return T
	 */
	public static function of(string $what, \Closure $code): mixed
	{
		try {
			return @$code(); // it says by a warning, too, why there is no TLS
		} catch (PredisException | \RuntimeException $e) {
			// Where the server refuses the user, Predis tries once more, by the password alone, and says what became of that.
			throw new self("$what: " . preg_replace(['/ \[\S+\]$/', '/^Failed: ERR AUTH <password> called without .*/s'], ['', 'wrong user name or password'],
				$e->getMessage()), 0, $e);
		}
	}
}
