<?php
/*
 * Server: a Redis server of our own, on a unix socket and a free port of the loopback address, in a folder of
 * its own that goes when it goes. Also the driver's own few commands to it, without any client library.
 */
declare(strict_types=1);

namespace Bench;

final class Server
{
	public readonly string $socket;
	public readonly int $port;
	private readonly string $folder;
	private ?Process $process = null;
	/** @var ?resource */
	private $connection = null;

	public function __construct(string $program, ?int $cpu)
	{
		$this->folder = sys_get_temp_dir() . '/redislock-bench-' . bin2hex(random_bytes(6));
		mkdir($this->folder, 0700);
		$this->socket = $this->folder . '/server.sock';
		$this->port = self::freePort();
		try {
			$this->start($program, $cpu);
		} catch (\RuntimeException $e) {
			// There is no destructor for an object whose constructor throws.
			$this->stop();
			throw $e;
		}
	}

	private function start(string $program, ?int $cpu): void
	{
		$this->process = new Process([$program, '--port', (string) $this->port, '--bind', '127.0.0.1',
			'--unixsocket', $this->socket, '--save', '', '--appendonly', 'no', '--dir', $this->folder,
			'--logfile', $this->folder . '/server.log'], $cpu, '/dev/null');
		$this->awaitStart();
	}

	public function __destruct()
	{
		$this->stop();
	}

	/** Sends one command and returns its answer; bulk and status strings as strings, nil as null. */
	public function command(string ...$arguments): string|int|null
	{
		$this->connection ??= $this->connect();
		$request = '*' . count($arguments) . "\r\n";
		foreach ($arguments as $argument) {
			$request .= '$' . strlen($argument) . "\r\n$argument\r\n";
		}
		fwrite($this->connection, $request);
		$line = rtrim((string) fgets($this->connection), "\r\n");
		$rest = substr($line, 1);

		return match ($line[0] ?? '') {
			'+' => $rest,
			':' => (int) $rest,
			'$' => $rest === '-1' ? null : substr(stream_get_contents($this->connection, (int) $rest + 2), 0, -2),
			default => throw new \RuntimeException("the server answered \"$line\" to $arguments[0]"),
		};
	}

	public function stop(): void
	{
		$this->process?->stop(15);
		$this->process = null;
		if (is_dir($this->folder)) {
			array_map('unlink', glob($this->folder . '/*'));
			rmdir($this->folder);
		}
	}

	/** @return resource */
	private function connect()
	{
		$connection = @stream_socket_client('unix://' . $this->socket, $errno, $error, 5);
		if ($connection === false) {
			throw new \RuntimeException("no connection to the benchmark's server: $error");
		}
		stream_set_timeout($connection, 5);

		return $connection;
	}

	private function awaitStart(): void
	{
		$deadline = hrtime(true) + 10_000_000_000;
		do {
			if (file_exists($this->socket) && ($probe = @stream_socket_client('unix://' . $this->socket))) {
				fclose($probe);
				if ($this->command('PING') === 'PONG') {
					return;
				}
			}
			usleep(5000);
		} while (hrtime(true) < $deadline);
		throw new \RuntimeException("the benchmark's server did not start:\n"
			. @file_get_contents($this->folder . '/server.log'));
	}

	/** A port nobody uses at this moment. Somebody may take it before the server does; then the run ends. */
	private static function freePort(): int
	{
		$probe = stream_socket_server('tcp://127.0.0.1:0');
		$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
		fclose($probe);

		return $port;
	}
}
