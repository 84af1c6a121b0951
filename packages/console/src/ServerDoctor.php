<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\Response\ErrorInterface;

/** @internal Examines one server: its settings, the rights of the user, how fast it answers. */
final class ServerDoctor
{
	private const PINGS = 20;
	/** Microseconds between two of them. */
	private const PAUSE = 25_000;
	/** Of all connections. */
	private const NEAR = 0.8;
	/** What is missing without these commands; without any other one, no lock works. */
	private const NEEDS = ['INCR' => 'Fencing numbers need it.', 'PERSIST' => 'Locks without expiry need it.', 'TYPE' => 'Some messages say less.',
		'BLPOP' => self::POLLS, 'LINDEX' => self::POLLS, 'LSET' => self::POLLS, 'COPY' => self::POLLS, 'LPUSH' => self::POLLS];
	private const POLLS = 'Waiters poll, and are not woken in order.';

	/** @var array<string, string> what INFO says */
	private array $info = [];

	public function __construct(private readonly Connection $server, private readonly Servers $servers, private readonly float $ttl)
	{
	}

	/** @return iterable<Finding> */
	public function findings(): iterable
	{
		$info = $this->server->try('INFO');
		if (is_string($info)) {
			preg_match_all('/^([a-z_0-9]+):(.*?)\r?$/m', $info, $lines);
			$this->info = array_combine($lines[1], $lines[2]);
		} else {
			yield $this->note('unseen', 'this user may not call INFO', 'Version, memory, connections and replicas were not looked at. Run this as a user who may.');
		}
		yield from $this->settings();
		yield from $this->replicas();
		yield from $this->rights();
		yield from $this->latency();
	}

	/** @return iterable<Finding> */
	private function settings(): iterable
	{
		$version = $this->info['redis_version'] ?? '';
		if ($version !== '' && version_compare($version, '6.2', '<')) {
			yield $this->problem('version', "this is version $version",
				version_compare($version, '6.0', '<') ? 'Redis 6 or later is needed: older ones cannot block for parts of a second, so waiters poll.'
					: 'Redis 6.2 or later wakes waiters with fewer commands, and gets security updates for longer.');
		}
		$policy = $this->info['maxmemory_policy'] ?? 'noeviction';
		if ($policy !== 'noeviction') {
			$limited = ($this->info['maxmemory'] ?? '0') !== '0';
			yield $this->finding($limited, 'eviction', "maxmemory-policy is $policy" . ($limited ? '' : ', without effect while there is no maxmemory'),
				'A server that evicts keys deletes locks that are held, and tells nobody. Set maxmemory-policy noeviction, or give the locks a server of their own.');
		}
		if (($this->info['aof_enabled'] ?? '1') === '0' && $this->setting('save') === '') {
			yield $this->finding($this->servers->isQuorum(), 'persistence', 'nothing is kept over a restart',
				'A server that restarts has forgotten all locks, while their holders go on: two may be inside until the first ones notice. ' .
				($this->servers->isQuorum() ? 'With several servers that breaks the majority: set appendonly yes, or keep a restarted server away for one ttl.'
					: 'Set appendonly yes if that matters.'));
		}
		$max = (int) ($this->info['maxclients'] ?? $this->setting('maxclients') ?? 0);
		$now = (int) ($this->info['connected_clients'] ?? 0);
		if ($max > 0 && $now >= $max * self::NEAR) {
			yield $this->problem('maxclients', "$now of $max connections are in use",
				'A server that is full refuses renewals, and locks are lost. Raise maxclients; a process with locks needs two connections, a waiter one more.');
		}
	}

	/** @return iterable<Finding> */
	private function replicas(): iterable
	{
		if (($this->info['role'] ?? 'master') !== 'master') {
			yield $this->problem('replica', 'this is a replica', 'Locks need a server that can be written to: name the master, or its sentinels.');

			return;
		}
		$has = (int) ($this->info['connected_slaves'] ?? 0);
		$needs = max($this->servers->minReplicas(), $this->servers->hasSentinels() || $this->servers->isCluster() ? 1 : 0);
		if ($this->info !== [] && $has < $needs) {
			yield $this->problem('replicas', "$has of $needs replicas are there",
				$this->servers->minReplicas() > $has ? 'No lock can be acquired with this min_replicas.' : 'If this server fails, nobody takes over, and its locks are gone.');
		}
		$state = ($this->info['cluster_enabled'] ?? '0') === '1' ? $this->server->try('CLUSTER', 'INFO') : null;
		if (is_string($state) && preg_match('/cluster_slots_ok:(\d+)/', $state, $slots) && (int) $slots[1] < 16_384) {
			yield $this->problem('coverage', "$slots[1] of 16384 slots have a server",
				'Locks whose slot has none cannot be acquired; with cluster-require-full-coverage none can. "redis-cli --cluster check" names the slots.');
		}
	}

	/**
	 * Each command is tried on a key of its own that ends by itself.
	 *
	 * @return iterable<Finding>
	 */
	private function rights(): iterable
	{
		$name = 'redislock-doctor-' . bin2hex(random_bytes(8));
		$key = $this->servers->prefix . "{{$name}}";
		if (Connection::isElsewhere($this->server->try('GET', $key))) {
			// Another node of the Cluster has it, and is examined, too.
			return;
		}
		$signal = "$key:rlk:signal";
		$missing = $this->missing([
			['SET', $key, '1', 'NX', 'PX', '2000'], ['GET', $key], ['EXISTS', $key], ['INCR', $key], ['PTTL', $key], ['TYPE', $key],
			['PERSIST', $signal], ['PEXPIRE', $key, '2000'], ['LINDEX', $signal, '0'], ['LSET', $signal, '0', '1'], ['COPY', $signal, "$key:rlk:waiters"],
			['BLPOP', $signal, '0.01'], ['EVAL', 'return 1', '0'], ['EVALSHA', str_repeat('0', 40), '0'], ['LPUSH', $signal, '1'],
			['PEXPIRE', $signal, '1'], ['DEL', $key, $signal],
		]);
		if (version_compare($this->info['redis_version'] ?? '6.2', '6.2', '<')) {
			// The scripts know that it has none.
			unset($missing['COPY']);
		}
		foreach ($missing as $command => $text) {
			yield $this->problem('rights', "the user may not call $command", (self::NEEDS[$command] ?? 'No lock works without it.') . ' The right is +' .
				strtolower($command) . ", and the keys are those that begin with the prefix; the server says: $text");
		}
		// Neither changes anything: this connection speaks RESP2, and tracks nothing.
		foreach ($this->server->ask([['HELLO', '2'], ['CLIENT', 'TRACKING', 'OFF']]) as $reply) {
			if ($reply instanceof ErrorInterface) {
				yield $this->note('tracking', 'nobody is told at once of a lost lock', 'The next renewal finds the loss. The server tells of it if it is Redis 6 or later, and ' .
					"the user has the rights +hello and +client|tracking; the server says: {$reply->getMessage()}");
				break;
			}
		}
		if ($this->missing([['SCAN', '0', 'COUNT', '1']]) !== []) {
			yield $this->note('unseen', 'this user may not call SCAN', 'Locks cannot be listed, and those without expiry were not looked for.');
		}
		$set = "$key:set";
		$missing = array_keys($this->missing([['TIME'], ['ZADD', $set, '1', 'a'], ['PEXPIREAT', $set, (string) (int) (microtime(true) * 1e3 + 2000)],
			['ZSCORE', $set, 'a'], ['ZCARD', $set], ['ZRANGE', $set, '0', '0'], ['ZREVRANGE', $set, '0', '0'], ['ZREVRANK', $set, 'a'],
			['ZREMRANGEBYSCORE', $set, '0', '0'], ['ZREM', $set, 'a']]));
		$this->server->try('DEL', $set);
		if ($missing !== []) {
			yield $this->note('rights', 'the user may not call ' . implode(', ', $missing),
				'Locks with permits, shared ones and holders() need it. The right is +' . strtolower(implode(' +', $missing)) . '.');
		}
	}

	/**
	 * @param list<list<string>> $requests
	 * @return array<string, string> what the server says of the commands that the user may not call
	 */
	private function missing(array $requests): array
	{
		$missing = [];
		foreach ($this->server->ask($requests) as $i => $reply) {
			if ($reply instanceof ErrorInterface && preg_match('/^(NOPERM|ERR unknown command)/', $reply->getMessage()) === 1) {
				$missing[$requests[$i][0]] = $reply->getMessage();
			}
		}

		return $missing;
	}

	/** @return iterable<Finding> */
	private function latency(): iterable
	{
		$worst = 0.0;
		for ($i = 0; $i < self::PINGS; $i++) {
			$sent = hrtime(true) / 1e9;
			$this->server->try('TIME');
			$worst = max($worst, hrtime(true) / 1e9 - $sent);
			usleep(self::PAUSE);
		}
		if ($worst > $this->ttl / 10) {
			yield $this->problem('latency', sprintf('it took up to %.0F ms to answer', $worst * 1000),
				sprintf('That is more than a tenth of the ttl, %h s: a renewal or two that are late lose the lock. Look for slow commands (SLOWLOG), swapping, the network; or choose a longer ttl.', $this->ttl));
		}
	}

	private function setting(string $name): ?string
	{
		$reply = $this->server->try('CONFIG', 'GET', $name);

		return is_array($reply) && is_string($reply[1] ?? null) ? $reply[1] : null;
	}

	private function problem(string $check, string $found, string $advice): Finding
	{
		return $this->finding(true, $check, $found, $advice);
	}

	private function note(string $check, string $found, string $advice): Finding
	{
		return $this->finding(false, $check, $found, $advice);
	}

	private function finding(bool $isProblem, string $check, string $found, string $advice): Finding
	{
		return new Finding($isProblem, $check, $found, $advice, $this->server->address);
	}
}
