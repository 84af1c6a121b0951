<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/**
 * @internal The options of a lock without a server: those of OptionTable, checked against each other as the extension does, and completed.
 * Times are ms.
 */
final class LockOptions
{
	public readonly string $name;
	public readonly string $prefix;
	public readonly string $key;
	public readonly ?string $token;
	public readonly ?string $label;
	public readonly int $ttl;
	public readonly int $wait;
	public readonly int $retry;
	public readonly ?bool $renew;
	public readonly int $interval;
	public readonly int $maxHold;
	public readonly int $holdAtLeast;
	public readonly int $linger;
	public readonly bool $reentrant;
	public readonly bool $fence;
	public readonly bool $throwsWhenLost;
	public readonly int $permits;
	public readonly int $weight;
	public readonly bool $shared;
	/** Dumps must not show the password among them. */
	private readonly \SensitiveParameterValue $layers;

	/** @param list<array> $layers of which the first that has an option wins */
	public function __construct(#[\SensitiveParameter] array $layers, bool $bound = false)
	{
		$this->layers = new \SensitiveParameterValue($layers);
		/** @var array{name?: string, prefix?: string, token?: string, label?: string, renew?: bool, reentrant?: bool, fence?: bool, shared?: bool,
		 *     permits?: int, weight?: int, ttl?: int, wait?: int, retry_ms?: int, interval?: int, max_hold?: int, hold_at_least?: int, linger?: int,
		 *     on_lost?: string, servers?: mixed} $values */
		$values = array_reduce(array_map(OptionTable::read(...), $layers), static fn (array $above, array $layer): array => $above + $layer, []);
		[$this->name, $this->prefix, $this->token, $this->label] = [$values['name'] ?? '', $values['prefix'] ?? '', $values['token'] ?? null, $values['label'] ?? null];
		$this->key = $this->prefix . $this->name;
		$this->renew = $bound ?: $values['renew'] ?? null;
		$this->wait = $values['wait'] ?? 0;
		$this->retry = $values['retry_ms'] ?? 200;
		$this->maxHold = $values['max_hold'] ?? OptionTable::NEVER;
		$this->holdAtLeast = $values['hold_at_least'] ?? 0;
		$this->linger = $values['linger'] ?? 0;
		$this->reentrant = $values['reentrant'] ?? false;
		$this->fence = $values['fence'] ?? false;
		$this->throwsWhenLost = ($values['on_lost'] ?? 'throw') !== 'flag';
		$this->ttl = $values['ttl'] ?? ($this->renew ? 30_000 : 60_000);
		$this->permits = $values['permits'] ?? 1;
		$this->weight = $values['weight'] ?? 1;
		$this->shared = $values['shared'] ?? false;
		$problem = $this->problemOfTtl($values) ?? $this->problemOfHolders($values);
		if ($problem !== null) {
			throw new \ValueError($problem);
		}
		$this->interval = max(1, min($values['interval'] ?? intdiv($this->ttl, 3), intdiv($this->ttl, 2)));
	}

	/** The same for a process-bound lock. */
	public function bound(): self
	{
		if ($this->renew === false) {
			throw new \ValueError('option "renew" must not be false here, where the lock is bound to the process');
		}

		return new self($this->layers(), true);
	}

	/** The same, but for what is given here. */
	public function with(#[\SensitiveParameter] array ...$layers): self
	{
		return new self([...array_values($layers), ...$this->layers()]);
	}

	/** @return list<array> */
	private function layers(): array
	{
		/** @var list<array> $layers */
		$layers = $this->layers->getValue();

		return $layers;
	}

	/** May others hold the lock at the same time? */
	public function isSet(): bool
	{
		return $this->shared || $this->permits > 1;
	}

	/** @param array{interval?: int, ...} $values */
	private function problemOfTtl(array $values): ?string
	{
		$seconds = $this->ttl / 1000;
		$interval = $values['interval'] ?? 0;

		return match (true) {
			$this->renew && $this->ttl > OptionTable::HOUR * 1000 => "option \"ttl\" is in seconds, and must be at most 3600 for a process-bound lock, $seconds given",
			$this->renew && $this->ttl < 2 => 'option "ttl" must be at least 0.002 seconds with "renew"',
			$this->ttl === 0 && $this->fence => 'option "ttl" must not be 0 with "fence"',
			$this->ttl === 0 && $this->holdAtLeast > 0 => 'option "ttl" must not be 0 with "hold_at_least"',
			$this->renew && $interval >= $this->ttl =>
				"option \"interval\" must be less than the ttl of $seconds seconds, " . $interval / 1000 . ' given',
			default => null,
		};
	}

	private function problemOfHolders(array $values): ?string
	{
		$kind = 'option "' . ($this->shared ? 'shared' : 'permits') . '"';

		return match (true) {
			$this->shared && isset($values['permits']) =>
				'option "permits" cannot be used with "shared": any number may share a lock, so there is nothing to count',
			isset($values['weight']) && !isset($values['permits']) => 'option "weight" needs "permits", of which it is a part',
			$this->weight > $this->permits => "option \"weight\" must be at most the $this->permits of \"permits\", $this->weight given",
			!$this->isSet() => null,
			isset($values['servers']) => "$kind cannot be used with \"servers\": a majority can agree on one holder, but not on several",
			$this->fence => "$kind cannot be used with \"fence\", which numbers holders in their order: several at a time have none",
			$this->reentrant && $this->weight > 1 =>
				"$kind cannot be used with \"reentrant\" and a \"weight\" above 1: entered again, it would not count again",
			$this->ttl === 0 => "$kind needs a \"ttl\" above 0: it is what clears up after a holder that has vanished",
			default => null,
		};
	}
}
