<?php
/*
 * Machine: what a reader has to know of where figures come from.
 */
declare(strict_types=1);

namespace Bench;

final class Machine
{
	public static function processor(): string
	{
		preg_match('/^model name\s*: (.*)$/m', self::cpuinfo(), $cpu);

		return $cpu[1] ?? php_uname('m');
	}

	public static function processors(): int
	{
		return preg_match_all('/^processor/m', self::cpuinfo());
	}

	/** What a server says of itself. */
	public static function serverVersion(Server $server): string
	{
		$info = (string) $server->command('INFO', 'server');

		return preg_match('/^valkey_version:(\S+)/m', $info, $match) ? "Valkey $match[1]"
			: (preg_match('/^redis_version:(\S+)/m', $info, $match) ? "Redis $match[1]" : '?');
	}

	/** The line under a plot. */
	public static function line(Server $server): string
	{
		return sprintf('%s, %d CPUs, Linux %s; PHP %s, %s', self::processor(), self::processors(),
			preg_replace('/^(\d+\.\d+).*/', '$1', php_uname('r')), PHP_VERSION, self::serverVersion($server));
	}

	/** The table above all tables. @return list<array{string, string}> */
	public static function description(Server $server): array
	{
		$said = static fn (string $command) => trim((string) shell_exec("$command 2>/dev/null | head -n 1"));
		preg_match('/^flags\s*:.*\bhypervisor\b/m', self::cpuinfo(), $virtual);
		preg_match('/^MemTotal:\s*(\d+)/m', (string) @file_get_contents('/proc/meminfo'), $memory);
		preg_match('/^PRETTY_NAME="?([^"\n]*)/m', (string) @file_get_contents('/etc/os-release'), $system);

		return [
			['processor', self::processor() . ($virtual ? ', a virtual machine' : '')],
			['CPUs', (string) self::processors()],
			['memory', round(($memory[1] ?? 0) / 1024 / 1024) . ' GB'],
			['system', ($system[1] ?? PHP_OS) . ', ' . php_uname('s') . ' ' . php_uname('r')],
			['PHP', PHP_VERSION . (PHP_ZTS ? ' ZTS' : ' NTS') . (PHP_DEBUG ? ', debug' : '')],
			['server', self::serverVersion($server) . ', without persistence, on this machine'],
			['hiredis', $said('pkg-config --modversion hiredis')],
			['compiler', $said((getenv('CC') ?: 'cc') . ' --version')],
		];
	}

	/** The load average over the last minute. */
	public static function load(): float
	{
		return sys_getloadavg()[0];
	}

	/** Time that the CPUs wanted and the host of this virtual machine gave to others, s. */
	public static function stolen(): float
	{
		$fields = preg_split('/\s+/', strtok((string) @file_get_contents('/proc/stat'), "\n"));

		return (int) ($fields[8] ?? 0) / 100;
	}

	private static function cpuinfo(): string
	{
		return (string) @file_get_contents('/proc/cpuinfo');
	}
}
