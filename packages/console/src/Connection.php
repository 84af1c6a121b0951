<?php

declare(strict_types=1);

namespace RedisLock\Console;

/**
 * A connection to one server, for requests that the extension does not make: to list the keys, and to ask the server about
 * itself. Requests travel together, and their replies are read together.
 *
 * @internal
 */
final class Connection
{
	/** Bytes of requests that may be under way: a server does not read on while its replies are not read. */
	private const BATCH = 65_536;
	private const TIMEOUT = 2.0;

	/** @var resource */
	private $stream;
	private string $buffer = '';
	private int $at = 0;

	/**
	 * @param array<string, mixed> $options those of one server, by the names that Servers gives them
	 * @throws ServerTrouble it cannot be reached, or refuses the user
	 */
	public function __construct(public readonly string $address, #[\SensitiveParameter] array $options)
	{
		$context = stream_context_create(['ssl' => is_array($options['ssl'] ?? null) ? $options['ssl'] : []]);
		$stream = @stream_socket_client($address, $code, $text, self::seconds($options['timeout'] ?? null), STREAM_CLIENT_CONNECT, $context);
		if ($stream === false) {
			throw new ServerTrouble("$address: " . ($text !== '' ? $text : 'no connection, or no TLS'));
		}
		$limit = self::seconds($options['read_write_timeout'] ?? null);
		stream_set_timeout($stream, (int) $limit, (int) (fmod($limit, 1) * 1e6));
		stream_set_read_buffer($stream, 0);
		$this->stream = $stream;
		$login = array_filter([$options['username'] ?? '', $options['password'] ?? ''], static fn (mixed $word): bool => $word !== '');
		if (($options['password'] ?? '') !== '') {
			$this->must('AUTH', ...array_values(array_map(self::text(...), $login)));
		}
		if ((int) self::text($options['database'] ?? 0) !== 0) {
			$this->must('SELECT', self::text($options['database']));
		}
	}

	/** @throws ServerTrouble the server is away, or answers an error */
	public function must(string ...$request): mixed
	{
		$reply = $this->ask([array_values($request)])[0];
		if ($reply instanceof ServerError) {
			throw new ServerTrouble("$this->address: $reply->text");
		}

		return $reply;
	}

	/** @return mixed the reply, a ServerError included */
	public function try(string ...$request): mixed
	{
		return $this->ask([array_values($request)])[0];
	}

	/**
	 * @param list<list<string>> $requests
	 * @return list<mixed> their replies: string, int, null, list, or ServerError
	 * @throws ServerTrouble the server is away
	 */
	public function ask(array $requests): array
	{
		$replies = [];
		for ($sent = $i = 0, $count = count($requests); $i < $count; $i = $sent) {
			$out = '';
			while ($sent < $count && strlen($out) < self::BATCH) {
				$out .= '*' . count($requests[$sent]) . "\r\n";
				foreach ($requests[$sent++] as $word) {
					$out .= '$' . strlen($word) . "\r\n$word\r\n";
				}
			}
			$this->write($out);
			for (; $i < $sent; $i++) {
				$replies[] = $this->read();
			}
		}

		return $replies;
	}

	private function write(string $out): void
	{
		for ($written = 0; $written < strlen($out); $written += $n) {
			$n = @fwrite($this->stream, $written === 0 ? $out : substr($out, $written));
			if ($n === false || $n === 0) {
				throw new ServerTrouble("$this->address: the connection broke");
			}
		}
	}

	private function read(): mixed
	{
		$line = $this->line();
		$rest = substr($line, 1);

		return match ($line[0] ?? '') {
			'+' => $rest,
			'-' => new ServerError($rest),
			':' => (int) $rest,
			'$' => $rest === '-1' ? null : $this->bytes((int) $rest),
			'*' => $rest === '-1' ? null : $this->list((int) $rest),
			default => throw new ServerTrouble("$this->address: this is no Redis or Valkey"),
		};
	}

	/** @return list<mixed> */
	private function list(int $count): array
	{
		for ($list = []; $count > 0; $count--) {
			$list[] = $this->read();
		}

		return $list;
	}

	private function line(): string
	{
		while (($end = strpos($this->buffer, "\r\n", $this->at)) === false) {
			$this->more();
		}
		$line = substr($this->buffer, $this->at, $end - $this->at);
		$this->at = $end + 2;

		return $line;
	}

	private function bytes(int $count): string
	{
		while (strlen($this->buffer) < $this->at + $count + 2) {
			$this->more();
		}
		$bytes = substr($this->buffer, $this->at, $count);
		$this->at += $count + 2;

		return $bytes;
	}

	private function more(): void
	{
		$more = @fread($this->stream, 65_536);
		if ($more === false || $more === '') {
			throw new ServerTrouble("$this->address: " . (stream_get_meta_data($this->stream)['timed_out'] ? 'no answer in time' : 'the server closed the connection'));
		}
		$this->buffer = substr($this->buffer, $this->at) . $more;
		$this->at = 0;
	}

	private static function seconds(mixed $given): float
	{
		return is_numeric($given) && $given > 0 ? (float) $given : self::TIMEOUT;
	}

	private static function text(mixed $value): string
	{
		return is_scalar($value) || $value instanceof \Stringable ? (string) $value : '';
	}
}
