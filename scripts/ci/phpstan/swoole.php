<?php
/*
 * What RedisLock\Async\Swoole and the example use of Swoole, for where its extension is not loaded.
 */

namespace {
	const SWOOLE_HOOK_STREAM_FUNCTION = 128;
}

namespace Swoole {
	class Coroutine
	{
		public static function getCid(): int
		{
		}
	}

	class Runtime
	{
		public static function getHookFlags(): int
		{
		}

		public static function setHookFlags(int $flags): bool
		{
		}
	}
}

namespace Swoole\Coroutine {
	class System
	{
		public static function sleep(float $seconds): bool
		{
		}
	}
}

namespace Swoole\Http {
	class Request
	{
		/** @var array<string, string|int|float> */
		public array $server;
	}

	class Response
	{
		public function end(?string $content = null): bool
		{
		}
	}

	class Server
	{
		public function __construct(string $host, int $port = 0)
		{
		}

		/** @param array<string, mixed> $settings */
		public function set(array $settings): bool
		{
		}

		public function on(string $event, callable $callback): bool
		{
		}

		public function start(): bool
		{
		}
	}
}
