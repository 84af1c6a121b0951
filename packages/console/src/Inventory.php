<?php

declare(strict_types=1);

namespace RedisLock\Console;

use Predis\Response\ErrorInterface;
use RedisLock\Adapter\HelperKeys;
use RedisLock\Adapter\Token;

/**
 * @internal Finds the locks on the servers. No request takes a server long: keys come in pages, and of a value only what a token can be.
 * @phpstan-import-type Holder from HeldLock
 */
final class Inventory
{
	/** Keys of a page. */
	private const PAGE = 100;
	/** Bytes: a token of our own is shorter, and no other one is longer. */
	private const TOKEN_MAX = 1024;
	/** Of a set: as many permits a lock can have. */
	private const MEMBERS_MAX = 4096;
	/** The mark that writers of Symfony's own store have beside their token. */
	private const WRITER = '__write__';
	private const WAITERS = ':rlk:waiters';
	private const FENCE = ':rlk:fence';
	private const HELPER = '/:rlk:(?:signal|waiters|fence|turn.*)$/D';

	/** @param bool $all whether strings count whose value is no token of ours */
	public function __construct(private readonly Servers $servers, private readonly bool $all = false)
	{
	}

	/**
	 * The locks, in no order, as they come.
	 *
	 * @param string $match a pattern of names, as the servers have it: * ? [a-z]
	 * @return iterable<HeldLock>
	 * @throws ServerTrouble
	 */
	public function locks(string $match = '*'): iterable
	{
		$majority = $this->servers->majority();
		$seen = [];
		foreach ($this->servers->masters() as $server) {
			foreach ($this->keys($server, $match) as $page) {
				foreach ($this->read($server, $page) as $lock) {
					// SCAN may name a key twice, and several servers have the same lock.
					$times = $seen[$lock->name][$lock->holder()['token']][$server->address] ?? false;
					$seen[$lock->name][$lock->holder()['token']][$server->address] = true;
					if (!$times && count($seen[$lock->name][$lock->holder()['token']]) === $majority) {
						yield $lock;
					}
				}
			}
		}
	}

	/** The lock of this name. null: nobody holds it. Whatever holds it counts, also without a token of ours. */
	public function lock(string $name): ?HeldLock
	{
		$key = $this->servers->prefix . $name;
		$votes = [];
		foreach ($this->servers->masters() as $server) {
			$lock = (new self($this->servers, true))->read($server, [$key])[0] ?? null;
			$votes[$lock?->holder()['token'] ?? ''][] = $lock;
			if ($lock !== null && count($votes[$lock->holder()['token']]) === $this->servers->majority()) {
				$helper = HelperKeys::of($this->servers->prefix, $name);
				$fence = $helper === '' || $this->servers->isQuorum() ? null : $server->try('GET', $helper . self::FENCE);

				$lock->fence = is_numeric($fence) ? (int) $fence : null;

				return $lock;
			}
		}

		return null;
	}

	/** @return iterable<non-empty-list<string>> */
	private function keys(Connection $server, string $match): iterable
	{
		$pattern = addcslashes($this->servers->prefix, '*?[]\\^') . $match;
		$cursor = '0';
		do {
			/** @var array{string, list<string>} $page */
			$page = $server->must('SCAN', $cursor, 'MATCH', $pattern, 'COUNT', (string) self::PAGE);
			[$cursor, $keys] = $page;
			$keys = array_values((array) preg_grep(self::HELPER, $keys, PREG_GREP_INVERT));
			if ($keys !== []) {
				/** @var non-empty-list<string> $keys */
				yield $keys;
			}
		} while ($cursor !== '0');
	}

	/**
	 * @param non-empty-list<string> $keys
	 * @return list<HeldLock>
	 */
	private function read(Connection $server, array $keys): array
	{
		$holders = [];
		$others = [];
		foreach ($server->ask(array_map(static fn (string $key): array => ['GETRANGE', $key, '0', (string) self::TOKEN_MAX], $keys)) as $i => $value) {
			if (Connection::isElsewhere($value)) {
				continue;
			} elseif ($value instanceof ErrorInterface) {
				$value->getErrorType() === 'WRONGTYPE' ? $others[] = $keys[$i] : throw new ServerTrouble("$server->address: {$value->getMessage()}");
			} elseif (is_string($value) && $value !== '') {
				$holder = strlen($value) <= self::TOKEN_MAX ? $this->holder($value) : null;
				if ($holder !== null) {
					$holders[$keys[$i]] = [$holder];
				}
			}
		}
		$holders += $this->sets($server, $others);
		$requests = [];
		foreach ($holders as $key => $_) {
			$helper = HelperKeys::of($this->servers->prefix, substr((string) $key, strlen($this->servers->prefix)));
			$requests[] = ['PTTL', (string) $key];
			$requests[] = ['EXISTS', ($helper !== '' ? $helper : (string) $key) . self::WAITERS];
		}
		$replies = $server->ask($requests);
		$locks = [];
		$i = 0;
		foreach ($holders as $key => $of_key) {
			[$ttl, $waited] = [$replies[$i++], $replies[$i++]];
			if (Connection::isElsewhere($ttl)) {
				continue;
			} elseif (!is_int($ttl)) {
				throw new ServerTrouble("$server->address: " . ($ttl instanceof ErrorInterface ? $ttl->getMessage() : 'no answer to PTTL'));
			}
			// -2: it has ended meanwhile.
			if ($ttl !== -2) {
				$seconds = $ttl === -1 ? null : $ttl / 1000;
				$isPlain = !in_array((string) $key, $others, true);
				$locks[] = new HeldLock(substr((string) $key, strlen($this->servers->prefix)), $isPlain ? HeldLock::PLAIN : HeldLock::SET,
					$isPlain ? [['ttl' => $seconds] + $of_key[0]] : $of_key, $seconds, $waited === 1);
			}
		}

		return $locks;
	}

	/**
	 * Sorted sets whose members are tokens: permits, and shared locks. As lua/set_holders.lua reads them.
	 *
	 * @param list<string> $keys
	 * @return array<non-empty-list<Holder>> by key, who ends first at the front
	 */
	private function sets(Connection $server, array $keys): array
	{
		$members = [];
		$page = array_map(static fn (string $key): array => ['ZRANGE', $key, '0', (string) (self::MEMBERS_MAX - 1), 'WITHSCORES'], $keys);
		foreach ($keys === [] ? [] : $server->ask($page) as $i => $row) {
			/** @var list<string> $row an error is no members */
			$row = is_array($row) ? $row : [];
			for ($j = 0; $j + 1 < count($row); $j += 2) {
				$members[$keys[$i]][$row[$j]] = (float) $row[$j + 1];
			}
		}
		if ($members === []) {
			return [];
		}
		// Scores are times of the server's clock.
		$clock = $server->try('TIME');
		$now = is_array($clock) && is_numeric($clock[0] ?? null) && is_numeric($clock[1] ?? null) ? $clock[0] * 1e3 + $clock[1] / 1e3 : microtime(true) * 1e3;

		return array_filter(array_map(fn (array $of_key): array => $this->holders($of_key, $now), $members));
	}

	/**
	 * @param array<float> $members when each is over, in ms
	 * @return list<Holder>
	 */
	private function holders(array $members, float $now): array
	{
		$holders = [];
		foreach ($members as $member => $end) {
			$token = (string) $member;
			// A weight of w is w members: token, token#2, ...
			$first = preg_match('/^(.*)#\d+$/Ds', $token, $parts) ? $parts[1] : null;
			if ($end <= $now || $token === self::WRITER || ($first !== null && isset($members[$first]))) {
				continue;
			}
			for ($weight = 1; isset($members[$token . '#' . ($weight + 1)]); $weight++);
			$holder = $this->holder($token, round(($end - $now) / 1000, 3), $weight);
			if ($holder !== null) {
				$holders[] = $holder;
			}
		}

		return $holders;
	}

	/** @return Holder|null null: the token is another library's, and those do not count */
	private function holder(string $token, ?float $ttl = null, int $weight = 1): ?array
	{
		$read = Token::read($token);

		return $read['host'] === null && !$this->all ? null : $read + ['token' => $token, 'ttl' => $ttl, 'weight' => $weight];
	}
}
