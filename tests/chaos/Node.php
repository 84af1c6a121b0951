<?php
/** An independent server with a proxy before it, and what can be done to both: at most one thing at a time to each. */
final class Node
{
	/* How often, in relation, and for how long, ms. */
	public const TROUBLE = [
		'restart' => [2, 0, 400], 'freeze' => [3, 50, 1500], 'pause' => [3, 50, 1500],
		'kill clients' => [2, 0, 0], 'kill a client' => [4, 0, 0], 'forget scripts' => [1, 0, 0],
	];
	public const CUTS = [
		'delay' => [3, 200, 1000], 'swallow up' => [1, 50, 1000], 'swallow down' => [1, 50, 1000],
		'swallow both' => [1, 50, 1000], 'leave client' => [1, 0, 0], 'leave server' => [1, 0, 0],
		'reset' => [2, 0, 0], 'refuse' => [1, 50, 500],
	];

	public readonly Server $server;
	public bool $troubled = false;
	public bool $cut = false;
	private Proxy $proxy;

	public function __construct(public readonly string $label)
	{
		/* What was written survives a SIGKILL, since it is in the system's hands; only a power cut needs fsync(). */
		$this->server = new Server(true, '--appendonly', 'yes', '--appendfsync', 'no', '--auto-aof-rewrite-min-size', '2mb',
			'--maxclients', '2000', '--repl-diskless-sync-delay', '0');
		$this->proxy = new Proxy($this->server->port);
	}

	public function options(bool $proxied): array
	{
		return $proxied ? ['host' => '127.0.0.1', 'port' => $this->proxy->port] : ['unix_socket' => $this->server->socket];
	}

	/** Does something to the server. Returns how it is undone, null where it needs no undoing. */
	public function trouble(string $how, int $ms): ?callable
	{
		$undo = match ($how) {
			'restart' => $this->restart(),
			'freeze' => $this->freeze(),
			'pause' => $this->pause($ms),
			'kill clients' => $this->ask('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
			'kill a client' => $this->killClient(),
			'forget scripts' => $this->ask('SCRIPT', 'FLUSH'),
		};
		$this->troubled = is_callable($undo);
		return !$this->troubled ? null : function () use ($undo) {
			$undo();
			$this->troubled = false;
		};
	}

	private function ask(string|int ...$command): mixed
	{
		return $this->server->client()(...$command);
	}

	private function restart(): callable
	{
		$this->server->kill();
		return $this->server->start(...);
	}

	private function freeze(): callable
	{
		$this->server->freeze();
		return $this->server->thaw(...);
	}

	/** It ends by itself; until then nobody can ask, we neither. */
	private function pause(int $ms): callable
	{
		$this->ask('CLIENT', 'PAUSE', $ms, 'ALL');
		return fn () => null;
	}

	private function killClient(): void
	{
		preg_match_all('/^id=(\d+)/m', $this->ask('CLIENT', 'LIST'), $ids);
		$this->ask('CLIENT', 'KILL', 'ID', $ids[1][mt_rand(0, count($ids[1]) - 1)]);
	}

	/** The same with the network before it. */
	public function cut(string $how): ?callable
	{
		$this->proxy->tell($how === 'delay' ? 'delay ' . mt_rand(1, 150) : $how);
		$undo = match (strtok($how, ' ')) {
			'delay' => 'delay 0',
			'swallow' => 'pass',
			'refuse' => 'accept',
			default => null,
		};
		$this->cut = $undo !== null;
		return $undo === null ? null : function () use ($undo) {
			$this->proxy->tell($undo);
			$this->cut = false;
		};
	}

	/** Keys other than the counters of fences, which stay, and clients other than us. */
	public function left(): array
	{
		/* The server would learn of connections that have no other end any more after 5 minutes. */
		$this->proxy->tell('reset');
		$redis = $this->server->client();
		$keys = array_filter($redis('KEYS', '*'), fn ($key) => !str_ends_with($key, ':rlk:fence'));
		$clients = substr_count($redis('CLIENT', 'LIST', 'TYPE', 'normal'), "\n") - 1;
		return [...array_map(fn ($key) => "key $key at $this->label", $keys),
			...$clients > 0 ? ["$clients connections to $this->label"] : []];
	}
}
