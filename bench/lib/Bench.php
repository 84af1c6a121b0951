<?php
/*
 * Bench: what every table needs: the options, the server, the programs under test and where they come from.
 *
 * Whatever has to be fetched or compiled goes below build/bench, which git ignores. A contender that cannot be
 * had is left out with a word on stderr; the others still run.
 */
declare(strict_types=1);

namespace Bench;

final class Bench
{
	private readonly string $root;
	private readonly string $build;
	private ?Server $server = null;

	/** @param array<string, string> $options  as given on the command line, see bench/run */
	public function __construct(private readonly array $options)
	{
		$this->root = dirname(__DIR__, 2);
		$this->build = $this->root . '/build/bench';
		if (!is_dir($this->build)) {
			mkdir($this->build, 0777, true);
		}
	}

	public function quick(): bool
	{
		return isset($this->options['quick']);
	}

	/** A number the user may set; $quick applies under --quick. */
	public function number(string $option, int $normal, int $quick): int
	{
		return max(1, (int) ($this->options[$option] ?? ($this->quick() ? $quick : $normal)));
	}

	/** Clients and server share this CPU, so that no result depends on where the system puts whom. */
	public function cpu(): int
	{
		if (isset($this->options['cpu'])) {
			return (int) $this->options['cpu'];
		}
		preg_match('/^Cpus_allowed_list:.*?(\d+)$/m', file_get_contents('/proc/self/status'), $match);

		return (int) $match[1];
	}

	public function server(): Server
	{
		return $this->server ??= new Server($this->options['server'] ?? 'redis-server', $this->cpu());
	}

	/** A fresh server, where what a table does to it must not reach the next one. */
	public function stopServer(): void
	{
		$this->server?->stop();
		$this->server = null;
	}

	/** Starts one of bench/workers in a PHP without any ini file. @param list<string> $modules */
	public function phpWorker(string $script, array $arguments, array $modules, ?int $cpu, array $ini = []): Process
	{
		// What PHP has to complain about must not be taken for an answer.
		$command = [PHP_BINARY, '-n', '-d', 'display_errors=stderr'];
		foreach ($modules as $module) {
			array_push($command, '-d', "extension=$module");
		}
		foreach ($ini as $setting) {
			array_push($command, '-d', $setting);
		}

		return new Process([...$command, "$this->root/bench/workers/$script.php", ...$arguments], $cpu);
	}

	/** Path of our extension, or null when it is not built. */
	public function module(): ?string
	{
		$candidates = isset($this->options['module']) ? [$this->options['module']]
			: ["$this->root/build/ext/modules/redislock.so", "$this->root/modules/redislock.so"];
		foreach ($candidates as $path) {
			if (is_file($path)) {
				return realpath($path);
			}
		}
		self::warnOnce('redislock is left out: scripts/build.sh builds it');

		return null;
	}

	/** Modules that make up phpredis here, or null. Debian's build wants igbinary loaded first. */
	public function phpredis(): ?array
	{
		foreach ([['redis'], ['igbinary', 'redis']] as $modules) {
			$load = implode(' ', array_map(static fn ($name) => "-d extension=$name", $modules));
			$out = shell_exec(escapeshellarg(PHP_BINARY) . " -n $load -r 'echo phpversion(\"redis\");' 2>/dev/null");
			if (preg_match('/^\d[\w.]*$/', trim((string) $out))) {
				return $modules;
			}
		}
		self::warnOnce('phpredis is left out: apt-get install php-redis');

		return null;
	}

	/** Path of Predis' autoloader, fetched once by Composer, or null. */
	public function predis(): ?string
	{
		$folder = $this->build . '/predis';
		$autoload = $folder . '/vendor/autoload.php';
		if (!is_file($autoload)) {
			@mkdir($folder);
			// Without a lock file: the newest release is the fair opponent.
			file_put_contents($folder . '/composer.json',
				'{"require": {"predis/predis": "*"}, "config": {"lock": false}}');
			$this->execute(['composer', 'update', '--quiet', '--no-interaction', '--no-scripts', '--no-plugins',
				'--prefer-dist', '--working-dir=' . $folder]);
		}
		if (is_file($autoload)) {
			return $autoload;
		}
		self::warnOnce('Predis is left out: composer could not fetch it');

		return null;
	}

	/** Path of the compiled bench/floor.c. Without it there is nothing to compare with, so this throws. */
	public function floor(): string
	{
		return $this->compiled('floor', ['bench/floor.c'], self::hiredis());
	}

	/** Path of the compiled bench/floor_start.c. */
	public function floorStart(): string
	{
		return $this->compiled('floor_start', ['bench/floor_start.c', 'bench/process.h'], []);
	}

	/**
	 * Path of a program in bench/ that is linked with everything below src/php, as the unit tests are.
	 *
	 * @param string $variant  distinguishes builds of one program with different flags
	 * @param list<string> $flags
	 */
	public function renewalProgram(string $name, string $variant = '', array $flags = []): string
	{
		$files = ["bench/$name.c", 'bench/child.h', 'bench/process.h'];
		foreach (['base', 'wire', 'core', 'renew'] as $layer) {
			foreach (glob("$this->root/src/$layer/*.[ch]") as $path) {
				if (!str_ends_with($path, '_win32.c')) {
					$files[] = "src/$layer/" . basename($path);
				}
			}
		}

		return $this->compiled($name . $variant, $files, [...$flags, '-D_GNU_SOURCE', '-I' . $this->root . '/src',
			...self::hiredis(), '-lpthread']);
	}

	/** @return list<string> */
	private static function hiredis(): array
	{
		$flags = trim((string) shell_exec('pkg-config --cflags --libs hiredis'));

		return preg_split('/\s+/', $flags, -1, PREG_SPLIT_NO_EMPTY);
	}

	/** Compiles what is older than one of its files. @param list<string> $files  headers are only looked at */
	private function compiled(string $name, array $files, array $flags): string
	{
		$program = "$this->build/$name";
		$paths = array_map(fn ($file) => "$this->root/$file", $files);
		if (!is_file($program) || filemtime($program) < max(array_map(filemtime(...), $paths))) {
			self::progress("compiling $name");
			$sources = array_filter($paths, static fn ($path) => str_ends_with($path, '.c'));
			if (!$this->execute([getenv('CC') ?: 'cc', '-std=gnu11', '-O2', '-o', $program, ...$sources, ...$flags])) {
				throw new \RuntimeException("$files[0] cannot be compiled");
			}
		}

		return $program;
	}

	public static function warn(string $text): void
	{
		fwrite(STDERR, "bench: $text\n");
	}

	/** Each table asks anew for its contenders; that one is missing is news only once. */
	private static function warnOnce(string $text): void
	{
		static $said = [];
		if (!isset($said[$text])) {
			$said[$text] = true;
			self::warn($text);
		}
	}

	/** One line that the next one overwrites, on a terminal only. */
	public static function progress(string $text): void
	{
		if (stream_isatty(STDERR)) {
			fwrite(STDERR, "\r\033[K$text");
		}
	}

	/** @param list<string> $command */
	private function execute(array $command): bool
	{
		$process = @proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w']], $pipes);

		return $process !== false && proc_close($process) === 0;
	}
}
