<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Adapter\Failure;
use RedisLock\Adapter\LockOptions;
use RedisLock\Adapter\OptionTable;
use RedisLock\Adapter\RunsCode;
use RedisLock\Lock;

/**
 * @internal A lock of this machine, without a server. It is process-bound, and has no ttl: it is held until it is released, its object is
 * destroyed, or the process ends, however it ends.
 */
final class LocalLock implements Lock, \Stringable
{
	use RunsCode;

	private ?LockFile $file = null;
	private bool $runs = false;
	private ?string $lost = null;

	public function __construct(private readonly Directory $directory, private readonly LockOptions $options)
	{
	}

	/** @param float|bool|null $wait a bool is refused: true would be a second */
	#[\NoDiscard]
	public function acquire(float|bool|null $wait = null): bool
	{
		return $this->take(OptionTable::waitArgument($wait, __METHOD__));
	}

	/** Whether the lock is still ours. There is no ttl that $ttl could set. */
	#[\NoDiscard]
	public function keepAlive(?float $ttl = null): bool
	{
		if ($ttl !== null) {
			OptionTable::toMs($ttl, false, false, __METHOD__ . '(): Argument #1 ($ttl)');
		}

		return $this->isAcquired();
	}

	public function release(): bool
	{
		$this->told = true;

		return $this->free();
	}

	public function isHeld(): bool
	{
		return $this->file !== null && $this->file->isHeld();
	}

	public function isAcquired(): bool
	{
		if ($this->isHeld() && $this->file?->isOurs() === false) {
			$this->free();
		}

		return $this->isHeld();
	}

	public function remaining(): float
	{
		return $this->isHeld() ? INF : 0.0;
	}

	public function getName(): string
	{
		return $this->options->name;
	}

	/** Always null. */
	public function getFence(): ?int
	{
		return null;
	}

	public function __toString(): string
	{
		return $this->options->name;
	}

	private function enter(): void
	{
		if (!$this->take(null)) {
			/** @var array{host: ?string, pid: ?int, label: ?string}|null $owner */
			$owner = json_decode((string) LockFile::owner($this->directory->file($this->options->key)), true);
			throw Failure::notAcquired($this->options->name, $owner === null ? null : ['token' => '', 'host' => $owner['host'], 'pid' => $owner['pid'],
				'label' => $owner['label'], 'ttl' => null, 'waited' => false, 'resting' => false]);
		}
		$this->runs = true;
		$this->lost = null;
	}

	private function leave(): ?string
	{
		$this->runs = false;
		$this->free();

		return $this->lost;
	}

	private function throwsWhenLost(): bool
	{
		return true;
	}

	/** False, and lost: it was not ours any more. False: there was none. */
	private function free(): bool
	{
		[$file, $this->file] = [$this->file, null];
		if ($file === null) {
			return false;
		}
		$ours = $file->release();
		$this->lost = $ours ? $this->lost : 'its file was removed';

		return $ours;
	}

	private function take(?float $wait): bool
	{
		if ($this->isHeld() || $this->runs && $this->file !== null) {
			throw Failure::misuse($this->options->name, 'is already held by this object');
		}
		$owner = json_encode(['name' => $this->options->key, 'host' => gethostname(), 'pid' => getmypid(), 'label' => $this->options->label],
			JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE | JSON_INVALID_UTF8_SUBSTITUTE | JSON_THROW_ON_ERROR);
		$this->file = LockFile::acquire($this->directory->file($this->options->key), $wait ?? OptionTable::toSeconds($this->options->wait), "$owner\n",
			$this->directory->isShared());

		return $this->file !== null;
	}
}
