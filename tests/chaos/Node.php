<?php
/** A server of the run with a proxy before it, and what can be done to both. At most one thing at a time to each. */
final class Node
{
	public readonly Server $server;
	public readonly Proxy $proxy;
	public bool $troubled = false;
	public bool $cut = false;

	public function __construct(public readonly string $label, string ...$settings)
	{
		/* What was written survives a SIGKILL, since it is in the system's hands; only a power cut needs fsync(). */
		$this->server = new Server(true, '--appendonly', 'yes', '--appendfsync', 'no', '--auto-aof-rewrite-min-size', '8mb',
			'--maxclients', '2000', ...$settings);
		$this->proxy = new Proxy($this->server->port);
	}

	public function options(bool $proxied): array
	{
		return $proxied ? ['host' => '127.0.0.1', 'port' => $this->proxy->port] : ['unix_socket' => $this->server->socket];
	}

	/** Does something to the server. Returns how it is undone, null where it needs no undoing. */
	public function trouble(string $how, int $ms): ?callable
	{
		switch ($how) {
			case 'restart':
				$this->server->kill();
				return $this->server->start(...);
			case 'freeze':
				$this->server->freeze();
				return $this->server->thaw(...);
			case 'pause':
				$this->server->client()('CLIENT', 'PAUSE', $ms, 'ALL');
				/* Nobody can ask it until then. */
				return fn () => null;
			case 'kill clients':
				$this->server->client()('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
				return null;
			case 'kill a client':
				$redis = $this->server->client();
				preg_match_all('/^id=(\d+)/m', $redis('CLIENT', 'LIST'), $ids);
				$redis('CLIENT', 'KILL', 'ID', $ids[1][mt_rand(0, count($ids[1]) - 1)]);
				return null;
			case 'forget scripts':
				$this->server->client()('SCRIPT', 'FLUSH');
				return null;
		}
		throw new LogicException($how);
	}

	/** The same with the network before it. */
	public function cut(string $how): ?callable
	{
		$this->proxy->tell($how);
		$undo = match (strtok($how, ' ')) {
			'delay' => 'delay 0',
			'swallow' => 'pass',
			'refuse' => 'accept',
			default => null,
		};
		return $undo === null ? null : fn () => $this->proxy->tell($undo);
	}

	/** Keys other than the counters of fences, which stay, and clients other than us. */
	public function left(): array
	{
		$redis = $this->server->client();
		$keys = array_filter($redis('KEYS', '*'), fn ($key) => !str_ends_with($key, ':rlk:fence'));
		$clients = substr_count($redis('CLIENT', 'LIST'), "\n") - 1;
		return [...array_map(fn ($key) => "key $key at the $this->label", $keys),
			...$clients > 0 ? ["$clients connections to the $this->label"] : []];
	}
}
