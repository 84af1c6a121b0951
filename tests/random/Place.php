<?php
/** A server, with a proxy before it, and perhaps a replica. */
final class Place
{
	public readonly Server $server;
	private Proxy $proxy;
	private Client $redis;
	private ?Server $replica = null;
	/* Of all keys but the helpers: key, { token, ms left, how often it counts, ... }, ...; and of turnstiles, with nobody at the key. */
	private const LOOK = <<<'LUA'
		local found, time = {}, redis.call('TIME')
		local now = time[1] * 1000 + math.floor(time[2] / 1000)
		for _, key in ipairs(redis.call('KEYS', '*')) do
			local type, pttl, holders = redis.call('TYPE', key).ok, redis.call('PTTL', key), {}
			if type == 'zset' and pttl ~= -1 then
				local members = redis.call('ZRANGE', key, 0, -1, 'WITHSCORES')
				for i = 1, #members, 2 do
					local count = 1
					while redis.call('ZSCORE', key, members[i] .. '#' .. count + 1) do
						count = count + 1
					end
					if tonumber(members[i + 1]) > now and not string.find(members[i], '#') then
						holders[#holders + 1] = members[i]
						holders[#holders + 1] = members[i + 1] - now
						holders[#holders + 1] = count
					end
				end
			elseif not string.find(key, ':rlk:', 1, true) or string.find(key, ':rlk:turn$') then
				holders = { type == 'string' and redis.call('GET', key) or 'a ' .. type, pttl, 0 }
			end
			if #holders > 0 then
				found[#found + 1] = key
				found[#found + 1] = holders
			end
		end
		return found
		LUA;

	public function __construct(bool $replicated)
	{
		$this->server = new Server(true, '--repl-diskless-sync-delay', '0');
		if ($replicated) {
			$this->replica = new Server(true, '--replicaof', '127.0.0.1', (string) $this->server->port);
		}
		$this->proxy = new Proxy($this->server->port);
		$this->redis = $this->server->client();
		$this->awaitReplica();
	}

	private function awaitReplica(): void
	{
		if ($this->replica !== null) {
			wait_until(fn () => $this->redis('WAIT', 1, 100) === 1);
		}
	}

	/** By what a connection goes: "unix", "tcp" or "proxy". */
	public function options(string $via): array
	{
		return match ($via) {
			'unix' => ['path' => $this->server->socket],
			'tcp' => ['host' => '127.0.0.1', 'port' => $this->server->port],
			'proxy' => ['host' => '127.0.0.1', 'port' => $this->proxy->port],
		};
	}

	public function redis(string|int ...$command): mixed
	{
		return ($this->redis)(...$command);
	}

	public function look(): array
	{
		$from = hrtime(true);
		$found = $this->redis('EVAL', self::LOOK, 0);
		$keys = $turns = [];
		foreach (array_chunk($found, 2) as [$key, $holders]) {
			if (preg_match('/\{(.*)\}:rlk:turn$/', $key, $m)) {
				$turns[$m[1]] = true;
			} else {
				foreach (array_chunk($holders, 3) as [$token, $left, $weight]) {
					$keys[$key][$token] = [$left, $weight];
				}
			}
		}
		return ['from' => $from, 'to' => hrtime(true), 'keys' => $keys, 'turns' => $turns];
	}

	/** "late": some clients learn of it a little later. */
	public function cut(string $how): void
	{
		match ($how) {
			'kill' => $this->killClients(),
			'late' => $this->redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
			'reset' => $this->proxy->tell('reset'),
		};
	}

	/** Returns when they are closed, on the other side of the proxy, too; new ones may be there by then. */
	private function killClients(): void
	{
		$there = $this->ids();
		$this->redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes');
		wait_until(fn () => count(array_intersect($there, $this->ids())) === 1);
		/* It obeys first, and then passes what has come by then. */
		$this->proxy->tell('pass');
		$this->proxy->tell('pass');
	}

	/** Of the connections, ours included. */
	private function ids(): array
	{
		preg_match_all('/^id=(\d+)/m', $this->redis('CLIENT', 'LIST', 'TYPE', 'normal'), $ids);
		return $ids[1];
	}

	public function restart(): void
	{
		$this->server->kill();
		$this->server->start();
		$this->redis = $this->server->client();
		$this->awaitReplica();
	}

	/** Connections other than ours. */
	public function clients(): int
	{
		return count($this->ids()) - 1;
	}

	public function clear(): void
	{
		$this->server->thaw();
		$this->proxy->tell('reset');
		$this->killClients();
		$this->redis('FLUSHALL');
		$this->redis('SCRIPT', 'FLUSH');
	}
}
