<?php
/** An Actor's process as the player sees it: messages there, answers back, signals. */
final class Process
{
	public readonly int $pid;
	public bool $stopped = false;
	private $socket;
	private int $number = 0;
	private string $message = '';

	public function __construct(string $lie)
	{
		$pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
		$this->pid = pcntl_fork();
		if ($this->pid === 0) {
			/* A server, say, ends by the end of its input, which would otherwise be kept open here. */
			$ours = [STDIN, STDOUT, STDERR, $pair[1]];
			array_map(fclose(...), array_filter(get_resources('stream'), fn ($stream) => !in_array($stream, $ours, true)));
			(new Actor($pair[1], $lie))->serve();
		}
		fclose($pair[1]);
		$this->socket = $pair[0];
	}

	public function send(string $what, string $id, array $arguments): void
	{
		$this->message = base64_encode(serialize([++$this->number, $what, $id, $arguments])) . "\n";
		@fwrite($this->socket, $this->message);
	}

	/**
	 * To the message sent last. null: there is none within the limit; the process may have ended. `left` is true if an exception
	 * came in between, by which callables have been left.
	 */
	public function answer(float $limit): ?array
	{
		$end = hrtime(true) / 1e9 + $limit;
		$left = false;
		while (($more = $end - hrtime(true) / 1e9) > 0) {
			stream_set_timeout($this->socket, (int) $more, (int) (fmod($more, 1) * 1e6));
			$line = fgets($this->socket);
			if ($line === false) {
				return null;
			}
			$answer = unserialize(base64_decode($line));
			if ($answer['number'] === $this->number) {
				return $answer + ['left' => $left];
			}
			if ($answer['again'] ?? false) {
				$left = true;
				fwrite($this->socket, $this->message);
			}
		}
		return null;
	}

	public function signal(int $signal): void
	{
		posix_kill($this->pid, $signal);
	}

	/** Its renewal children; they do not outlive what they are children of, unless a lock is to be released. @return list<int> */
	public function children(): array
	{
		return array_map(intval(...), preg_split('/ /', (string) @file_get_contents("/proc/$this->pid/task/$this->pid/children"),
			-1, PREG_SPLIT_NO_EMPTY));
	}

	/** Open sockets, the one to us included. */
	public function sockets(): int
	{
		$targets = array_map(fn ($fd) => (string) @readlink($fd), glob("/proc/$this->pid/fd/*"));
		return count(array_filter($targets, fn ($target) => str_starts_with($target, 'socket:')));
	}

	/** Waits for its end, having told it to end orderly or by SIGKILL. false: it goes on. Returns the status of waitpid. */
	public function end(bool $kill): int|false
	{
		$kill ? $this->signal(SIGKILL) : $this->send('exit', '', []);
		return comes_true(function () use (&$status) {
			return pcntl_waitpid($this->pid, $status, WNOHANG) !== 0;
		}, 5) ? $status : false;
	}
}
