<?php
/*
 * Fpm: a PHP-FPM with one worker, on a unix socket in a folder of its own, and requests to it.
 */
declare(strict_types=1);

namespace Bench;

final class Fpm
{
	private const BEGIN = 1, END = 3, PARAMS = 4, STDIN = 5, STDOUT = 6;

	private readonly string $folder;
	private ?Process $process = null;

	/** Path of the PHP-FPM that belongs to this PHP, or null. */
	public static function program(): ?string
	{
		$version = PHP_MAJOR_VERSION . '.' . PHP_MINOR_VERSION;
		foreach ([dirname(PHP_BINARY, 2) . '/sbin', ...explode(':', (string) getenv('PATH')), '/usr/sbin'] as $folder) {
			foreach (["php-fpm$version", 'php-fpm'] as $name) {
				if (is_executable("$folder/$name")) {
					return "$folder/$name";
				}
			}
		}
		Bench::warnOnce("PHP-FPM is left out: apt-get install php$version-fpm");

		return null;
	}

	public function __construct(string $program, private readonly string $script, string $module)
	{
		$this->folder = sys_get_temp_dir() . '/redislock-bench-' . bin2hex(random_bytes(6));
		mkdir($this->folder, 0700);
		file_put_contents("$this->folder/conf", "[global]\nerror_log = $this->folder/log\n[www]\nuser = root\n"
			. "listen = $this->folder/socket\npm = static\npm.max_children = 1\n");
		// -R: who runs this as root has a worker of root, too. Anybody else's is his own in any case.
		$this->process = new Process([$program, '-n', '-R', '-F', '-y', "$this->folder/conf", '-d', "extension=$module",
			'-d', 'memory_limit=1200M', '-d', 'display_errors=1', '-d', 'html_errors=0'], null, '/dev/null');
	}

	public function __destruct()
	{
		$this->stop();
	}

	public function stop(): void
	{
		$this->process?->stop(15);
		$this->process = null;
		array_map('unlink', glob("$this->folder/*"));
		@rmdir($this->folder);
	}

	/** Runs the script with $_SERVER['JOB'], and returns the body of its answer. */
	public function request(array $job): string
	{
		$stream = $this->connect();
		$params = '';
		foreach (['SCRIPT_FILENAME' => $this->script, 'REQUEST_METHOD' => 'GET', 'JOB' => json_encode($job)] as $name => $value) {
			$params .= pack('NN', strlen($name) | 0x80000000, strlen($value) | 0x80000000) . $name . $value;
		}
		fwrite($stream, self::record(self::BEGIN, pack('nCx5', 1, 0)) . self::record(self::PARAMS, $params)
			. self::record(self::PARAMS, '') . self::record(self::STDIN, ''));
		$answer = '';
		do {
			$header = stream_get_contents($stream, 8);
			if ($header === false || strlen($header) < 8) {
				throw new \RuntimeException("PHP-FPM broke off: $answer");
			}
			['type' => $type, 'length' => $length, 'padding' => $padding] = unpack('x/Ctype/x2/nlength/Cpadding', $header);
			$content = $length + $padding > 0 ? substr((string) stream_get_contents($stream, $length + $padding), 0, $length) : '';
			$answer .= $type === self::STDOUT ? $content : '';
		} while ($type !== self::END);

		return explode("\r\n\r\n", $answer, 2)[1] ?? '';
	}

	/** @return resource */
	private function connect()
	{
		$deadline = hrtime(true) + 10_000_000_000;
		while (($stream = @stream_socket_client("unix://$this->folder/socket")) === false) {
			if (hrtime(true) > $deadline) {
				throw new \RuntimeException("PHP-FPM did not start:\n" . @file_get_contents("$this->folder/log"));
			}
			usleep(5000);
		}
		stream_set_timeout($stream, 60);

		return $stream;
	}

	private static function record(int $type, string $content): string
	{
		return pack('CCnnCx', 1, $type, 1, strlen($content), 0) . $content;
	}
}
