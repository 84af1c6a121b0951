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

	/** @param list<string> $more  further arguments of the server */
	public function __construct(string $program, ?int $cpu, private readonly array $more = [])
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
			'--logfile', $this->folder . '/server.log', ...$this->more], $cpu, '/dev/null');
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

	/** Clients that sit in a blocking command now. */
	public function blocked(): int
	{
		return preg_match('/^blocked_clients:(\d+)/m', $this->command('INFO', 'clients'), $match) ? (int) $match[1] : 0;
	}

	/**
	 * What the server has counted so far: requests read ("total_reads_processed"), calls of each command
	 * ("cmdstat_get") and the microseconds they took ("usec_get").
	 *
	 * @return array<string, int>
	 */
	public function counters(): array
	{
		$counters = [];
		preg_match_all('/^(total_reads_processed):(\d+)/m', $this->command('INFO', 'stats'), $matches, PREG_SET_ORDER);
		foreach ($matches as [, $name, $value]) {
			$counters[$name] = (int) $value;
		}
		preg_match_all('/^cmdstat_([^:]+):calls=(\d+),usec=(\d+)/m', $this->command('INFO', 'commandstats'), $matches,
			PREG_SET_ORDER);
		foreach ($matches as [, $name, $calls, $microseconds]) {
			$counters["cmdstat_$name"] = (int) $calls;
			$counters["usec_$name"] = (int) $microseconds;
		}

		return $counters;
	}

	public function pid(): int
	{
		return $this->process->pid;
	}

	public function signal(int $signal): void
	{
		$this->process?->kill($signal);
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
	public static function freePort(): int
	{
		$probe = stream_socket_server('tcp://127.0.0.1:0');
		$port = (int) substr(strrchr(stream_socket_get_name($probe, false), ':'), 1);
		fclose($probe);

		return $port;
	}
}
