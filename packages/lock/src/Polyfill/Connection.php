<?php

declare(strict_types=1);

namespace RedisLock\Polyfill;

use Predis\Command\RawCommand;
use Predis\Connection\Parameters;
use Predis\Connection\ParametersInterface;
use Predis\Connection\Resource\Stream;
use Predis\Connection\Resource\StreamFactory;
use Predis\Connection\StreamConnection;
use Predis\PredisException;
use Predis\Response\ErrorInterface;
use Psr\Http\Message\StreamInterface;

/**
 * A connection of Predis, with what Predis does not have: a limit for each answer, and several requests in one write, whose answers
 * are awaited beside those of another connection. Times are ms, points in time those of Server::now().
 *
 * @internal
 */
final class Connection
{
	private const REFUSALS = '/: (WRONGPASS invalid username-password pair( or user is disabled)?|ERR (invalid password|Client sent AUTH, but no password is set|' .
		'AUTH <password> called without any password configured for the default user))/';
	/** When the last request was written: validity counts from there. */
	public int $sentAt = 0;
	public int $unread = 0;
	private bool $hasAnswered = false;
	public readonly int $pid;
	private readonly StreamConnection $predis;
	/** @var resource */
	private mixed $stream;
	/** @var array<string, string>|null */
	private static ?array $scripts = null;

	/** @param list<list<string>> $greeting what is sent first */
	public function __construct(private readonly string $node, private readonly int $answersIn, #[\SensitiveParameter] array $parameters,
		#[\SensitiveParameter] array $greeting, int $until)
	{
		$factory = new class extends StreamFactory {
			/** @var resource|null */
			public mixed $raw = null;

			public function createStream(ParametersInterface $parameters): StreamInterface
			{
				$this->raw = parent::createStream($parameters)->detach();
				assert($this->raw !== null);

				return new class ($this->raw) extends Stream {
					/** @param resource $raw */
					public function __construct(private mixed $raw)
					{
						parent::__construct($raw);
					}

					/** Half a line is none: a number would be another one. */
					public function read(int $length): string
					{
						$read = $length === -1 ? (string) @fgets($this->raw, 65_536) : parent::read($length);

						return $length !== -1 || str_ends_with($read, "\n") ? $read : throw new \RuntimeException('', 1);
					}
				};
			}
		};
		$this->pid = (int) getmypid();
		$this->predis = new StreamConnection(new Parameters(['timeout' => max(1, $until - Server::now()) / 1000] + $parameters), $factory);
		$warned = null;
		set_error_handler(static function (int $level, string $message) use (&$warned): bool {
			$warned ??= preg_match('/.*(?:[:\n] *|\): )(.+)$/s', $message, $last) === 1 ? $last[1] : $message;

			return true;
		});
		try {
			$this->predis->connect();
		} catch (PredisException | \RuntimeException $e) {
			// Of TLS only a warning says why.
			$isTls = $parameters['scheme'] === 'tls' && $e->getCode() === 0;
			$why = $isTls ? ($warned ?? 'no answer in time') . '; does it speak TLS on this port?' : preg_replace('/ \[\S*\]$/', '', $e->getMessage());
			throw new Trouble('cannot connect' . ($isTls ? ' with TLS' : '') . ": $why", $node, !$isTls);
		} finally {
			restore_error_handler();
		}
		assert($factory->raw !== null);
		$this->stream = $factory->raw;
		foreach ($greeting as $command) {
			try {
				$this->call($command, $until);
			} catch (Trouble $trouble) {
				// Some servers and proxies quote the request, and with it the password.
				preg_match(self::REFUSALS, $trouble->getMessage(), $known);
				$isRefusal = $command[0] === 'AUTH' && $trouble->answer !== '';
				throw new Trouble($isRefusal ? 'the server refused the credentials' . ($known[0] ?? '') : $trouble->getMessage(), $node, $trouble->isRetryable);
			}
		}
	}

	/** @param list<string> ...$commands requests that are written at once */
	public function send(#[\SensitiveParameter] array ...$commands): void
	{
		$bytes = implode('', array_map(static fn (array $command): string => (new RawCommand(array_shift($command) ?? '', $command))->serializeCommand(), $commands));
		[$this->sentAt, $this->unread] = [Server::now(), $this->unread + count($commands)];
		try {
			$this->predis->write($bytes);
		} catch (PredisException) {
			throw $this->broken();
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
		try {
			$answer = $this->predis->read();
		} catch (\Predis\Protocol\ProtocolException) {
			throw new Trouble('the peer does not speak the Redis protocol', $this->node, false, true);
		} catch (PredisException) {
			throw $this->broken();
		}
		$this->unread--;
		$this->hasAnswered = true;
		if (!$answer instanceof ErrorInterface) {
			return $answer instanceof \Stringable ? (string) $answer : $answer;
		}
		$text = (string) preg_replace('/[\x00-\x1f\x7f]/', '?', $answer->getMessage());
		$isOfScripts = preg_match('/^(NOPERM.* run the |ERR unknown command )[\'`]eval/i', $text) === 1;
		throw new Trouble(($isOfScripts ? 'redislock needs the right to EVAL and EVALSHA, but the server answered: ' : 'the server answered: ') . $text, $this->node,
			preg_match('/^(LOADING|BUSY|MASTERDOWN|TRYAGAIN|CLUSTERDOWN|READONLY|OOM|MISCONF|NOREPLICAS|ERR max number of clients)/', $text) === 1,
			answer: $isOfScripts ? 'SCRIPTS' : explode(' ', $text)[0]);
	}

	/** @param list<string> $command */
	public function call(#[\SensitiveParameter] array $command, int $until): mixed
	{
		$this->send($command);

		return $this->receive($until);
	}

	/**
	 * Runs a script, '' for the command in its keys and arguments: by its digest, and by its text where the server does not know that.
	 *
	 * @param list<string> $keys
	 * @param list<string> $arguments
	 */
	public function run(string $script, array $keys, #[\SensitiveParameter] array $arguments, int $until): mixed
	{
		try {
			return $this->call(self::words($script, $keys, $arguments, false), $until);
		} catch (Trouble $trouble) {
			return $trouble->answer === 'NOSCRIPT' ? $this->call(self::words($script, $keys, $arguments), $until) : throw $trouble;
		}
	}

	/**
	 * @param list<string> $keys
	 * @param list<string> $arguments
	 * @return list<string> the request that has the server run a script
	 */
	public static function words(string $script, array $keys, #[\SensitiveParameter] array $arguments, bool $byText = true): array
	{
		/** @var array<string, string> $texts */
		$texts = self::$scripts ??= require __DIR__ . '/scripts.php'; // @phpstan-ignore assign.propertyType

		return $script === '' ? [...$keys, ...$arguments]
			: [$byText ? 'EVAL' : 'EVALSHA', $byText ? $texts[$script] : sha1($texts[$script]), (string) count($keys), ...$keys, ...$arguments];
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
		$hint = $this->hasAnswered || !str_starts_with($this->node, 'tcp:') ? '' : '; does the server expect TLS?';

		return new Trouble("the server closed the connection$hint", $this->node, true, true, true);
	}
}
