<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\Client;
use Predis\Command\RawCommand;
use Predis\Connection\NodeConnectionInterface;
use Predis\Pipeline\Pipeline;
use Predis\Response\ErrorInterface;
use Predis\Response\Status;

/** @internal One server, asked through Predis. Its errors are replies: those behind them in the same pipeline count. */
final class Connection
{
	public readonly string $address;
	private readonly Client $client;

	public function __construct(NodeConnectionInterface $node)
	{
		$at = $node->getParameters();
		$this->address = $at->scheme === 'unix' ? "unix://$at->path" : "$at->scheme://" . (str_contains($at->host, ':') ? "[$at->host]" : $at->host) . ":$at->port";
		$this->client = new Client($node, ['exceptions' => false]);
		ServerTrouble::of($this->address, $this->client->connect(...));
	}

	/** @throws ServerTrouble it cannot be reached, or refuses the user */
	public static function to(#[\SensitiveParameter] array $parameters): self
	{
		/** @var NodeConnectionInterface $node */
		$node = (new Client($parameters))->getConnection();

		return new self($node);
	}

	/** @throws ServerTrouble the server is away, or answers an error */
	public function must(string ...$request): mixed
	{
		$reply = $this->try(...$request);

		return $reply instanceof ErrorInterface ? throw new ServerTrouble("$this->address: {$reply->getMessage()}") : $reply;
	}

	/** @return mixed the reply, an ErrorInterface included */
	public function try(string ...$request): mixed
	{
		return $this->ask([array_values($request)])[0];
	}

	/**
	 * @param list<list<string>> $requests
	 * @return list<mixed> their replies: string, int, null, list, or ErrorInterface
	 * @throws ServerTrouble the server is away
	 */
	public function ask(array $requests): array
	{
		/** @var list<mixed> $replies */
		$replies = ServerTrouble::of($this->address, fn () => $this->client->pipeline(static function (Pipeline $pipeline) use ($requests): void {
			foreach ($requests as $request) {
				$pipeline->executeCommand(new RawCommand((string) array_shift($request), $request));
			}
		}));

		return array_map(static fn (mixed $reply): mixed => $reply instanceof Status ? (string) $reply : $reply, $replies);
	}

	/** Of a Cluster: another node has the key. */
	public static function isElsewhere(mixed $reply): bool
	{
		return $reply instanceof ErrorInterface && in_array($reply->getErrorType(), ['MOVED', 'ASK'], true);
	}
}
