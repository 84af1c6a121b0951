<?php
/*
 * Process: a child process one talks to line by line.
 *
 * Started without a shell, so that the process id is the program's own, and told to die with the driver, so
 * that an interrupted benchmark leaves nothing running. stderr is inherited: handing over STDERR
 * as a stream would rewind it where it is a file.
 */
declare(strict_types=1);

namespace Bench;

final class Process
{
	/** @var resource */
	private $process;
	/** @var array<int, resource> */
	private array $pipes = [];
	public readonly int $pid;
	/** What read() got beyond the line it returned. */
	private string $buffer = '';

	/**
	 * @param list<string> $command
	 * @param int|string|null $cpu  the CPU it may use, or a list as of taskset(1); null for any
	 */
	public function __construct(private readonly array $command, int|string|null $cpu = null, ?string $stdout = null)
	{
		$wrap = ['setpriv', '--pdeathsig', 'KILL'];
		if ($cpu !== null) {
			$wrap = ['taskset', '-c', (string) $cpu, ...$wrap];
		}
		$process = proc_open([...$wrap, ...$command],
			[['pipe', 'r'], $stdout === null ? ['pipe', 'w'] : ['file', $stdout, 'w']], $this->pipes);
		if ($process === false) {
			throw new \RuntimeException('cannot start ' . $command[0]);
		}
		$this->process = $process;
		$this->pid = proc_get_status($process)['pid'];
	}

	public function __destruct()
	{
		$this->stop();
	}

	public function write(string $line): void
	{
		// A process that is already gone is reported by the read() that follows.
		@fwrite($this->pipes[0], $line . "\n");
	}

	/** One line without its end. Throws when none comes in time: a benchmark that hangs must end. */
	public function read(float $timeout = 120.0): string
	{
		$deadline = hrtime(true) + (int) ($timeout * 1e9);
		while (($end = strpos($this->buffer, "\n")) === false) {
			$left = max(0, intdiv($deadline - hrtime(true), 1000));
			$read = [$this->pipes[1]];
			$none = null;
			$ready = @stream_select($read, $none, $none, intdiv($left, 1_000_000), $left % 1_000_000);
			if ($ready === false) {
				// A signal, whose handler runs now and may end the driver.
				continue;
			}
			if ($ready === 0) {
				throw new \RuntimeException($this->name() . " did not answer within $timeout s");
			}
			$bytes = fread($this->pipes[1], 65536);
			if ($bytes === '' || $bytes === false) {
				throw new \RuntimeException($this->name() . ' ended early');
			}
			$this->buffer .= $bytes;
		}
		$line = substr($this->buffer, 0, $end);
		$this->buffer = substr($this->buffer, $end + 1);

		return $line;
	}

	/** Asks a long-lived worker for one piece of work. */
	public function ask(string $line): string
	{
		$this->write($line);

		return $this->read();
	}

	public function kill(int $signal = 9): void
	{
		proc_terminate($this->process, $signal);
	}

	/** Ends it and waits until it is gone. Safe to call twice. */
	public function stop(int $signal = 9): void
	{
		if (is_resource($this->process)) {
			foreach ($this->pipes as $pipe) {
				fclose($pipe);
			}
			proc_terminate($this->process, $signal);
			proc_close($this->process);
		}
	}

	private function name(): string
	{
		return implode(' ', array_slice($this->command, -4));
	}
}
