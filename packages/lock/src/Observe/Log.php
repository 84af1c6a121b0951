<?php

declare(strict_types=1);

namespace RedisLock\Observe;

use Psr\Log\LoggerInterface;
use Psr\Log\LogLevel;

/**
 * Writes the events of locks to a PSR-3 logger: a loss as an error, a server that is away as a warning, a refusal as a notice, the others for debugging.
 *
 * @phpstan-import-type Details from Observer
 */
final class Log
{
	private const LEVELS = ['lost' => LogLevel::ERROR, 'unavailable' => LogLevel::WARNING, 'refused' => LogLevel::NOTICE];

	public function __construct(private readonly LoggerInterface $logger)
	{
	}

	/** @param Details $details */
	public function __invoke(string $event, array $details): void
	{
		$text = match ($event) {
			'acquired' => 'Lock "{name}" is acquired',
			'refused' => 'Lock "{name}" is held by somebody else',
			'waited' => 'Lock "{name}" was waited for, {wait} s',
			'lost' => 'Lock "{name}" is lost after {hold} s',
			'released' => 'Lock "{name}" is released after {hold} s',
			'unavailable' => 'The server of lock "{name}" is away, {kind}: {error}',
			default => "Lock \"{name}\": $event",
		};
		$this->logger->log(self::LEVELS[$event] ?? LogLevel::DEBUG, $text, ['event' => $event] + $details);
	}
}
