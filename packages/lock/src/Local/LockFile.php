<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Exception;

/**
 * @internal One acquisition of a lock of this machine: a file that is locked with flock(2).
 *
 * The kernel frees the file when the process ends, however it ends. The holder removes the file before it unlocks it. So a lock
 * counts only if the file that is locked is still the one of that name; who has locked a removed file tries again.
 */
final class LockFile
{
	/** Seconds between two tries of a waiter: flock() itself has no time limit. */
	private const PAUSE_MIN = 0.001, PAUSE_MAX = 0.02;
	private const TRIES = 100;

	private readonly int $pid;

	/** @param resource $file */
	private function __construct(private readonly string $path, private readonly mixed $file)
	{
		$this->pid = (int) getmypid();
	}

	/** A process-bound lock ends with its object. */
	public function __destruct()
	{
		$this->release();
	}

	/**
	 * @param string $owner what the file says while the lock is held
	 * @param bool $shared may the group of the directory have the lock, too?
	 * @return self|null null: another process had it for $wait seconds
	 * @throws Exception the file cannot be opened
	 */
	public static function acquire(string $path, float $wait, string $owner, bool $shared): ?self
	{
		$deadline = hrtime(true) / 1e9 + $wait;
		for ($pause = self::PAUSE_MIN;; $pause = min(2 * $pause, self::PAUSE_MAX)) {
			$lock = self::try($path, $shared);
			if ($lock !== null) {
				ftruncate($lock->file, 0);
				fwrite($lock->file, $owner);
				fflush($lock->file);

				return $lock;
			}
			$left = $deadline - hrtime(true) / 1e9;
			if ($left <= 0) {
				return null;
			}
			usleep((int) (min($left, $pause) * 1e6));
		}
	}

	/** What the holder's file says; null: nobody holds the lock, or it does not say. */
	public static function owner(string $path): ?string
	{
		$said = is_link($path) ? false : @file_get_contents($path, false, null, 0, 4096);

		return $said === false || $said === '' ? null : $said;
	}

	/** Is it ours, and the file still the one of that name? */
	public function isOurs(): bool
	{
		return $this->isHeld() && self::isFileOf($this->path, $this->file);
	}

	/** Is it ours? Nothing is asked. */
	public function isHeld(): bool
	{
		return is_resource($this->file) && $this->pid === getmypid();
	}

	/** @return bool false: it was not ours any more */
	public function release(): bool
	{
		if (!$this->isHeld()) {
			return false; // a forked copy closes what it has at its end, which frees nothing
		}
		$ours = $this->isOurs();
		if ($ours) {
			@unlink($this->path);
		}
		flock($this->file, LOCK_UN); // for forked copies, too
		fclose($this->file);

		return $ours;
	}

	private static function try(string $path, bool $shared): ?self
	{
		for (;;) {
			$file = self::open($path, $shared);
			if (!flock($file, LOCK_EX | LOCK_NB, $taken)) {
				fclose($file);

				return $taken === 1 ? null : throw new Exception("the file system of $path has no locks");
			}
			if (self::isFileOf($path, $file)) {
				return new self($path, $file);
			}
			fclose($file);
		}
	}

	/**
	 * Follows no symbolic link: a new file is made with O_EXCL, and one that is there has to be what lstat() saw.
	 *
	 * @return resource
	 */
	private static function open(string $path, bool $shared): mixed
	{
		for ($try = 1;; $try++) {
			clearstatcache(true, $path);
			$found = @lstat($path);
			if ($found !== false && ($found['mode'] & 0170000) !== 0100000) {
				throw new Exception("$path is no regular file");
			}
			error_clear_last();
			$file = @fopen($path, $found === false ? 'x+e' : 'r+e');
			if ($file !== false) {
				if ($found === false && $shared) {
					@chmod($path, 0660);
				}

				return $file;
			}
			// Mostly it was made or removed by another process meanwhile. A reason that stays is one after so many tries.
			if ($try === self::TRIES) {
				throw new Exception("$path cannot be opened: " . preg_replace('/^.*: /', '', error_get_last()['message'] ?? ''));
			}
		}
	}

	/** @param resource $file */
	private static function isFileOf(string $path, mixed $file): bool
	{
		clearstatcache(true, $path);
		$there = @lstat($path);
		$ours = fstat($file);

		return $there !== false && $ours !== false && [$there['dev'], $there['ino']] === [$ours['dev'], $ours['ino']];
	}
}
