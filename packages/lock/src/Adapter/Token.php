<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal The value that a holder puts into a key, as docs/internals/protocol.md has it: it says who that is.
 * @phpstan-type Holder array{token: string, host: ?string, pid: ?int, label: ?string, ttl: ?float, waited: bool, resting: bool}
 */
final class Token
{
	private const FORM = '/^rlk1:((?:[\w.-]|%[0-9a-f]{2}){0,64}):(\d{1,10}):((?:[\w.-]|%[0-9a-f]{2}){0,64}):[0-9a-f]{32}(:done)?$/D';

	public static function make(?string $label): string
	{
		$shown = static fn (string $text): string => (string) preg_replace_callback('/[^A-Za-z0-9._-]/', static fn (array $byte): string => sprintf('%%%02x', ord($byte[0])), substr($text, 0, 64));

		return 'rlk1:' . $shown((string) gethostname()) . ':' . getmypid() . ':' . $shown((string) $label) . ':' . bin2hex(random_bytes(16));
	}

	/** What is in the key after a release until hold_at_least is over. */
	public static function resting(#[\SensitiveParameter] string $token): string
	{
		return self::make(self::read($token)['label']) . ':done';
	}

	/** @return Holder what holder() and holders() say of whoever has it; $ttl: seconds */
	public static function holder(#[\SensitiveParameter] string $token, ?float $ttl, bool $waited): array
	{
		['host' => $host, 'pid' => $pid, 'label' => $label, 'resting' => $resting] = self::read($token);

		return ['token' => $token, 'host' => $host, 'pid' => $pid, 'label' => $label, 'ttl' => $ttl, 'waited' => $waited, 'resting' => $resting];
	}

	/** @return array{host: ?string, pid: ?int, label: ?string, resting: bool} without a host: the token is another library's */
	public static function read(#[\SensitiveParameter] string $token): array
	{
		if (preg_match(self::FORM, $token, $part) !== 1) {
			return ['host' => null, 'pid' => null, 'label' => null, 'resting' => false];
		}

		return ['host' => rawurldecode($part[1]), 'pid' => (int) $part[2], 'label' => $part[3] === '' ? null : rawurldecode($part[3]), 'resting' => isset($part[4])];
	}
}
