<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * A server cannot be reached, or does not answer what it is asked.
 *
 * @internal
 */
final class ServerTrouble extends \RuntimeException
{
}
