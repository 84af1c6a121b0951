<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

use Psr\Log\LoggerInterface;
use RedisLock\Worker;

/** @internal Ends the locks of a request, job or message, in a worker that serves many, and has the log say which they were. */
final class UnitOfWork
{
	public static function begin(): void
	{
		Worker::beginRequest();
	}

	/**
	 * @param \Closure(): ?LoggerInterface $logger asked only when locks were left behind
	 * @param string $unit what has left them behind, for the log
	 */
	public static function end(\Closure $logger, string $unit = 'request'): void
	{
		[$message, $names] = self::left($unit);
		if ($message !== '') {
			$logger()?->notice($message, ['locks' => $names]);
		}
	}

	/**
	 * Ends the locks, for a log of another make.
	 *
	 * @return array{string, list<string>} a sentence, "" if there were none, and the names of those left behind
	 */
	public static function left(string $unit): array
	{
		$names = Worker::endRequest();
		if ($names === []) {
			return ['', []];
		}
		// Names may be of any bytes.
		$shown = array_map(static fn (string $name): string => json_encode($name,
			JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR), $names);
		$several = count($names) > 1;

		return ["A $unit left the " . ($several ? 'locks ' : 'lock ') . implode(', ', $shown) . ' behind. ' .
			($several ? 'They have' : 'It has') . " ended with the $unit.", $names];
	}
}
