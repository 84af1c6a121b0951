<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use Predis\Command\RawCommand;
use Predis\Connection\Parameters;
use Predis\Connection\Resource\StreamFactory;
use Predis\PredisException;
use Predis\Response\Error;

/**
 * @internal A connection that Predis opens. Its answers are awaited here, with a limit for each and beside those of another connection; and read,
 * since to Predis half a line is one. Times are ms, points in time those of Server::now().
 */
final class Connection
{
	private const REFUSALS = '/: (WRONGPASS invalid username-password pair( or user is disabled)?|ERR (invalid password|Client sent AUTH, but no password is set|' .
		'AUTH <password> called without any password configured for the default user))/';
	/** How many answers are outstanding after one that does not fit. */
	public const UNKNOWN = 1 << 30;
	/** When the last request was written: validity counts from there. */
	public int $sentAt = 0;
	public int $unread = 0;
	private bool $hasAnswered = false;
	public readonly int $pid;
	/** @var resource */
	private mixed $stream;
	/** @var array<string, string> texts of scripts, which scripts/dev/embed-lua.php makes of those of the extension */
	private static array $scripts = [];

	/** @param list<array> $greeting what is sent first */
	public function __construct(private readonly string $node, private readonly int $answersIn, #[\SensitiveParameter] array $parameters,
		#[\SensitiveParameter] array $greeting, int $until)
	{
		$this->pid = (int) getmypid();
		$warned = null;
		set_error_handler(static function (int $level, string $message) use (&$warned): bool {
			$warned ??= preg_match('/.*(?:[:\n] *|\): )(.+)$/s', $message, $last) === 1 ? $last[1] : $message;

			return true;
		});
		try {
			$parameters = ['timeout' => max(1, $until - Server::now()) / 1000] + $parameters;
			$this->stream = (new StreamFactory())->createStream(new Parameters($parameters))->detach() ?? throw new \RuntimeException('no stream');
		} catch (PredisException | \RuntimeException $e) {
			// Of TLS only a warning says why.
			$isTls = $parameters['scheme'] === 'tls' && $e->getCode() === 0;
			$why = $isTls ? ($warned ?? 'no answer in time') . '; does it speak TLS on this port?' : preg_replace('/ \[\S*\]$/', '', $e->getMessage());
			throw new Trouble('cannot connect' . ($isTls ? ' with TLS' : '') . ": $why", $node, !$isTls);
		} finally {
			restore_error_handler();
		}
		foreach ($greeting as $command) {
			try {
				$this->call($command, $until);
			} catch (Trouble $trouble) {
				// Some servers and proxies quote the request, and with it the password.
				preg_match(self::REFUSALS, $trouble->getMessage(), $known);
				$isRefusal = $command[0] === 'AUTH' && $trouble->answer !== '' && !str_contains($trouble->getMessage(), ': ERR max number of clients');
				throw new Trouble($isRefusal ? 'the server refused the credentials' . ($known[0] ?? '') : $trouble->getMessage(), $node, $trouble->isRetryable);
			}
		}
	}

	/** Writes requests at once. */
	public function send(#[\SensitiveParameter] array ...$commands): void
	{
		$bytes = implode('', array_map(static fn (array $command): string => (new RawCommand($command[0], array_slice($command, 1)))->serializeCommand(), $commands)); // @phpstan-ignore argument.type
		[$this->sentAt, $this->unread] = [Server::now(), $this->unread + count($commands)];
		for (; $bytes !== ''; $bytes = substr($bytes, $written)) {
			$written = @fwrite($this->stream, $bytes) ?: throw $this->broken();
		}
	}

	/** The next answer. An error is a Trouble, and so is none by then. */
	public function receive(int $until): mixed
	{
		if (self::await(min($until, $this->sentAt + $this->answersIn), $this) === []) {
			throw new Trouble('the server did not answer in time', $this->node, true, true);
		}

		return $this->read();
	}

	/** The answer that await() has found. */
	public function read(): mixed
	{
		$answer = $this->reply();
		$this->unread--;
		if (!$answer instanceof Error) {
			return $answer;
		}
		$text = (string) preg_replace('/[\x00-\x1f\x7f]/', '?', $answer->getMessage());
		$isOfScripts = preg_match('/^(NOPERM.* run the |ERR unknown command )[\'`]eval/i', $text) === 1;
		throw new Trouble(($isOfScripts ? 'redislock needs the right to EVAL and EVALSHA, but the server answered: ' : 'the server answered: ') . $text, $this->node,
			preg_match('/^(LOADING|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|READONLY|OOM|MISCONF|NOREPLICAS|ERR max number of clients)/', $text) === 1,
			answer: $isOfScripts ? 'SCRIPTS' : explode(' ', $text)[0]);
	}

	private function reply(): mixed
	{
		$line = (string) @fgets($this->stream, 65_536);
		// Half a line is none: a number would be another one.
		str_ends_with($line, "\r\n") || throw $this->broken();
		$this->hasAnswered = true;
		[$kind, $rest] = [$line[0], substr($line, 1, -2)];
		if (!str_contains('+-:$*', $kind) || $kind !== '+' && $kind !== '-' && preg_match($kind === ':' ? '/^-?\d{1,18}$/' : '/^-?\d{1,6}$/', $rest) !== 1) {
			fclose($this->stream);
			throw new Trouble('the peer does not speak the Redis protocol', $this->node, false, true);
		}

		return match ($kind) {
			'+' => $rest,
			'-' => new Error($rest),
			':' => (int) $rest,
			'$' => $rest < 0 ? null : $this->bytes((int) $rest),
			default => $rest < 0 ? null : array_map($this->reply(...), array_fill(0, (int) $rest, null)),
		};
	}

	private function bytes(int $count): string
	{
		for ($bytes = ''; strlen($bytes) < $count + 2; $bytes .= $more) {
			$more = @fread($this->stream, max(1, $count + 2 - strlen($bytes)));
			$more = is_string($more) && $more !== '' ? $more : throw $this->broken();
		}

		return substr($bytes, 0, -2);
	}

	public function call(#[\SensitiveParameter] array $command, int $until): mixed
	{
		$this->send($command);

		return $this->receive($until);
	}

	/** Runs a script, '' for the command in its keys and arguments: by its digest, and by its text where the server does not know that. */
	public function run(string $script, array $keys, #[\SensitiveParameter] array $arguments, int $until): mixed
	{
		try {
			return $this->call(self::words($script, $keys, $arguments, false), $until);
		} catch (Trouble $trouble) {
			return $trouble->answer === 'NOSCRIPT' ? $this->call(self::words($script, $keys, $arguments), $until) : throw $trouble;
		}
	}

	/** The request that has the server run a script. */
	public static function words(string $script, array $keys, #[\SensitiveParameter] array $arguments, bool $byText = true): array
	{
		if ($script === '') {
			return [...$keys, ...$arguments];
		}
		$text = self::$scripts[$script] ??= (string) file_get_contents(dirname(__DIR__, 2) . "/lua/$script.lua");

		return [$byText ? 'EVAL' : 'EVALSHA', $byText ? $text : sha1($text), (string) count($keys), ...$keys, ...$arguments];
	}

	/** Whether the next request may be sent over it: nothing is outstanding any more, and the server has not closed it. */
	public function isFit(): bool
	{
		try {
			while ($this->unread > 0 && $this->isOpen() && self::await(0, $this) !== []) {
				$this->read();
			}
		} catch (Trouble $trouble) {
			return $trouble->answer !== '' && $this->isFit();
		}

		return $this->unread === 0 && $this->isOpen() && self::await(0, $this) === [];
	}

	/** Waits until the server has read all requests, if there are several without an answer, and closes. */
	public function finish(int $until): void
	{
		if ($this->unread > 1 && $this->isOpen()) {
			stream_set_blocking($this->stream, false);
			stream_socket_shutdown($this->stream, STREAM_SHUT_WR);
			while (!feof($this->stream) && self::await($until, $this) !== []) {
				fread($this->stream, 65_536);
			}
			fclose($this->stream);
		}
	}

	/** Not one of the parent process. */
	public function isOpen(): bool
	{
		return $this->pid === getmypid() && is_resource($this->stream);
	}

	/** @return list<self> those with an answer, once there is one, or none when the time is over. Signal handlers run meanwhile */
	public static function await(int $until, self ...$connections): array
	{
		do {
			$ready = array_map(static fn (self $connection): mixed => $connection->stream, $connections);
			[$left, $none] = [max(0, $until - Server::now()), null];
			if (@stream_select($ready, $none, $none, $until === Server::NEVER ? null : intdiv($left, 1000), $left % 1000 * 1000) > 0) {
				return array_values(array_filter($connections, static fn (self $connection): bool => in_array($connection->stream, $ready, true)));
			}
		} while (Server::now() < $until);

		return [];
	}

	private function broken(): Trouble
	{
		fclose($this->stream);
		$hint = $this->hasAnswered || !str_starts_with($this->node, 'tcp:') ? '' : '; does the server expect TLS?';

		return new Trouble("the server closed the connection$hint", $this->node, true, true, true);
	}
}
