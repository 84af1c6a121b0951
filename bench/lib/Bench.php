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

	/** All CPUs but the server's, where there are others, for crowds of clients. */
	public function otherCpus(): string
	{
		preg_match('/^Cpus_allowed_list:\s*(\S+)/m', file_get_contents('/proc/self/status'), $match);
		$cpus = [];
		foreach (explode(',', $match[1]) as $range) {
			[$first, $last] = explode('-', $range) + [1 => $range];
			array_push($cpus, ...range((int) $first, (int) $last));
		}

		return implode(',', array_diff($cpus, [$this->cpu()]) ?: $cpus);
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

	/** One more server, on any CPU, that ends with the object. */
	public function anotherServer(): Server
	{
		return new Server($this->options['server'] ?? 'redis-server', null);
	}

	/** One that speaks TLS, and options to connect to it; null: it cannot be had. @return array{Server, array<string, mixed>}|null */
	public function tlsServer(): ?array
	{
		$cert = "$this->build/tls.crt";
		$key = "$this->build/tls.key";
		$port = Server::freePort();
		if (!$this->execute(['openssl', 'req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', $key,
			'-out', $cert, '-days', '2', '-subj', '/CN=bench', '-addext', 'subjectAltName=IP:127.0.0.1'])) {
			self::warnOnce('TLS is left out: apt-get install openssl');

			return null;
		}
		$server = new Server($this->options['server'] ?? 'redis-server', null, ['--tls-port', (string) $port,
			'--tls-cert-file', $cert, '--tls-key-file', $key, '--tls-ca-cert-file', $cert, '--tls-auth-clients', 'no']);

		return [$server, ['scheme' => 'tls', 'host' => '127.0.0.1', 'port' => $port, 'ssl' => ['cafile' => $cert]]];
	}

	/** Path of a script in bench/workers. */
	public function worker(string $script): string
	{
		return "$this->root/bench/workers/$script.php";
	}

	/** Starts one of bench/workers in a PHP without any ini file. @param list<string> $modules */
	public function phpWorker(string $script, array $arguments, array $modules, int|string|null $cpu,
		array $ini = []): Process
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

	/** Path of our extension as it was before a change. */
	public function before(): string
	{
		return realpath($this->options['before'])
			?: throw new \RuntimeException("there is no module {$this->options['before']}");
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

	/** Path of Composer's autoloader for one package, fetched once, or null. */
	public function package(string $package): ?string
	{
		$folder = $this->build . '/' . strtr(preg_replace('~^predis/~', '', $package), '/', '-');
		$autoload = $folder . '/vendor/autoload.php';
		if (!is_file($autoload)) {
			@mkdir($folder);
			// Without a lock file: the newest release is the fair opponent.
			file_put_contents($folder . '/composer.json',
				json_encode(['require' => [$package => '*'], 'config' => ['lock' => false]], JSON_UNESCAPED_SLASHES));
			$this->execute(['composer', 'update', '--quiet', '--no-interaction', '--no-scripts', '--no-plugins',
				'--prefer-dist', '--working-dir=' . $folder]);
		}
		if (is_file($autoload)) {
			return $autoload;
		}
		self::warnOnce("$package is left out: composer could not fetch it");

		return null;
	}

	/**
	 * Paths of Composer's autoloader for the frameworks and adapters the tests use, and of what stands for Yii 2 there, or
	 * null.
	 *
	 * @return array{string, string}|null
	 */
	public function frameworks(): ?array
	{
		$autoload = "$this->root/build/vendor/vendor/autoload.php";
		if (is_file($autoload) || $this->execute(["$this->root/scripts/vendor.sh"])) {
			return [$autoload, "$this->root/tests/inc/standins/yii2.inc"];
		}
		self::warnOnce('the frameworks are left out: scripts/vendor.sh could not fetch them');

		return null;
	}

	/** Those of the modules that are not built into PHP here. @return list<string> */
	public function shared(string ...$modules): array
	{
		$builtIn = explode("\n", (string) shell_exec(escapeshellarg(PHP_BINARY) . ' -n -m'));

		return array_values(array_diff($modules, $builtIn));
	}

	/** Path of the compiled bench/floor.c. Without it there is nothing to compare with, so this throws. */
	public function floor(): string
	{
		return $this->compiled('floor', ['bench/floor.c'], self::hiredis());
	}

	/** Path of the compiled bench/floor_quorum.c. */
	public function floorQuorum(): string
	{
		return $this->compiled('floor_quorum', ['bench/floor_quorum.c'], self::hiredis());
	}

	/** Path of the compiled bench/floor_start.c. */
	public function floorStart(): string
	{
		return $this->compiled('floor_start', ['bench/floor_start.c', 'bench/process.h'], []);
	}

	/** Path of the compiled bench/floor_request.c. */
	public function floorRequest(bool $tls): string
	{
		return $this->compiled($tls ? 'floor_request_tls' : 'floor_request', ['bench/floor_request.c', 'bench/process.h'],
			$tls ? ['-DTLS', '-lssl', '-lcrypto'] : []);
	}

	/** Path of the extension bench/loop_poll.c. */
	public function loopPoll(): string
	{
		return $this->compiled('loop_poll.so', ['bench/loop_poll.c'], ['-shared', '-fPIC', '-D_GNU_SOURCE',
			...preg_split('/\s+/', trim((string) shell_exec('php-config --includes')))]);
	}

	/** Path of bench/crowd.c with the waiters of crowd_core.c and our PHP-free sources. */
	public function crowdOfCore(): string
	{
		return $this->linked('crowd_core', ['bench/crowd.c', 'bench/crowd_core.c', 'bench/crowd.h'], ['base', 'net', 'redis', 'lock', 'config']);
	}

	/** Path of bench/crowd.c with the waiters of crowd_floor.c. */
	public function crowdOfFloor(bool $lease): string
	{
		return $this->compiled($lease ? 'crowd_floor_lease' : 'crowd_floor',
			['bench/crowd.c', 'bench/crowd_floor.c', 'bench/crowd.h'],
			[...($lease ? ['-DLEASE'] : []), '-D_GNU_SOURCE', ...self::hiredis(), '-lpthread']);
	}

	/**
	 * Path of a program in bench/ that starts renewal children.
	 *
	 * @param string $variant  distinguishes builds of one program with different flags
	 * @param list<string> $flags
	 */
	public function renewalProgram(string $name, string $variant = '', array $flags = []): string
	{
		return $this->linked($name . $variant, ["bench/$name.c", 'bench/child.h', 'bench/process.h'],
			['base', 'net', 'redis', 'lock', 'config', 'renew'], $flags);
	}

	/** Links a program with our PHP-free sources, as the unit tests are. @param list<string> $layers */
	private function linked(string $name, array $files, array $layers, array $flags = []): string
	{
		foreach ($layers as $layer) {
			foreach (preg_grep('/_win32\.c$/', glob("$this->root/src/$layer/*.[ch]"), PREG_GREP_INVERT) as $path) {
				$files[] = substr($path, strlen($this->root) + 1);
			}
		}

		return $this->compiled($name, $files, [...$flags, '-D_GNU_SOURCE', '-I' . $this->root . '/src', ...self::hiredis(),
			'-lpthread']);
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

	/** Where the figures go that bench/plot draws; nowhere without --json. */
	public function save(string $table, array $figures): void
	{
		if (isset($this->options['json'])) {
			$all = is_file($this->options['json']) ? json_decode(file_get_contents($this->options['json']), true) : [];
			$all['machine'] = Machine::line($this->server());
			$all[$table] = $figures;
			file_put_contents($this->options['json'], json_encode($all, JSON_PRETTY_PRINT | JSON_UNESCAPED_SLASHES) . "\n");
		}
	}

	public static function warn(string $text): void
	{
		fwrite(STDERR, "bench: $text\n");
	}

	/** Each table asks anew for its contenders; that one is missing is news only once. */
	public static function warnOnce(string $text): void
	{
		static $said = [];
		if (!isset($said[$text])) {
			$said[$text] = true;
			self::warn($text);
		}
	}

	/**
	 * Measures each of them once in every round, one after the other, in an order that rotates.
	 *
	 * @template T
	 * @param list<string> $names
	 * @param callable(string): T $measure
	 * @return array<string, list<T>>  by name, of every round
	 */
	public static function turns(string $what, array $names, int $rounds, callable $measure): array
	{
		$measured = array_fill_keys($names, []);
		for ($round = -1; $round < $rounds; $round++) {
			self::progress(sprintf('%sround %d of %d', $what === '' ? '' : "$what, ", $round + 1, $rounds));
			foreach ($names as $name) {
				$own = $measure($name);
				// The round before the first one only warms up.
				if ($round >= 0) {
					$measured[$name][] = $own;
				}
			}
			$names[] = array_shift($names);
		}
		self::progress('');

		return $measured;
	}

	/**
	 * All workers do their pairs in turns. Each answers with the nanoseconds they took.
	 *
	 * @param array<string, Process> $workers
	 * @param ?callable(string): string $request  what to say to the worker of this name; null: the number alone
	 * @return array<string, list<float>>  nanoseconds per pair of every round
	 */
	public static function rounds(array $workers, int $rounds, int $pairs, ?callable $request = null): array
	{
		return self::turns('', array_keys($workers), $rounds, static fn ($name) =>
			(int) $workers[$name]->ask($request !== null ? $request($name) : (string) $pairs) / $pairs);
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
		$process = @proc_open($command, [['file', '/dev/null', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);

		return $process !== false && proc_close($process) === 0;
	}
}
