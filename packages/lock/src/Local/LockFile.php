<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Exception;

/**
 * @internal One acquisition of a lock of this machine: a file that is locked with flock(2), and a bell.
 *
 * The kernel frees the file when the process ends, however it ends. The bell is a unix socket on which the holder listens
 * and never answers: waiters connect to it and sleep. When the holder releases the lock or dies, the kernel closes their
 * connections, which wakes them all. flock() itself has no time limit.
 *
 * The holder removes both files before it unlocks. So a lock counts only if the file that is locked is still the one of that
 * name; who has locked a removed file tries again.
 */
final class LockFile
{
	/** S, after which a waiter looks again in any case: a program that the dead holder had started may keep its bell open. */
	private const LOOK = 1.0;
	/** S between two tries where there is no bell: for a moment with each change of holder, and if flock(1) is the holder. */
	private const PAUSE_MIN = 0.001, PAUSE_MAX = 0.02;
	private const BACKLOG = 1024;
	private const TRIES = 100;

	private readonly int $pid;
	/** @var resource|null */
	private mixed $bell = null;

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
	 * @param string $path of the file, without its ending
	 * @param string $owner what the file says while the lock is held
	 * @param bool $shared may the group of the directory have the lock, too?
	 * @return self|null null: another process had it for $wait seconds
	 * @throws Exception the file cannot be opened
	 */
	public static function acquire(string $path, float $wait, string $owner, bool $shared): ?self
	{
		$deadline = self::now() + $wait;
		$pause = self::PAUSE_MIN;
		for (;;) {
			$lock = self::try($path, $shared);
			if ($lock !== null) {
				$lock->begin($owner, $shared);

				return $lock;
			}
			$left = $deadline - self::now();
			if ($left <= 0) {
				return null;
			}
			$bell = @stream_socket_client("unix://$path.bell", $errno, $error, 0);
			if ($bell !== false) {
				self::sleepUntilClosed($bell, min($left, self::LOOK));
				$pause = self::PAUSE_MIN;
			} else {
				usleep((int) (min($left, $pause) * 1e6));
				$pause = min(2 * $pause, self::PAUSE_MAX);
			}
		}
	}

	/** What the holder's file says; null: nobody holds the lock, or it does not say. */
	public static function owner(string $path): ?string
	{
		$said = is_link("$path.lock") ? false : @file_get_contents("$path.lock", false, null, 0, 4096);

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
			@unlink("$this->path.bell");
			@unlink("$this->path.lock");
		}
		flock($this->file, LOCK_UN); // for forked copies, too
		fclose($this->file);
		if ($this->bell !== null) {
			// Forked copies keep the bell open, so those who wait are woken one by one.
			while (($waiter = @stream_socket_accept($this->bell, 0)) !== false) {
				fclose($waiter);
			}
			fclose($this->bell);
		}

		return $ours;
	}

	private static function try(string $path, bool $shared): ?self
	{
		for (;;) {
			$file = self::open("$path.lock", $shared);
			if (!flock($file, LOCK_EX | LOCK_NB, $taken)) {
				fclose($file);
				if ($taken !== 1) {
					throw new Exception("the file system of $path.lock has no locks");
				}

				return null;
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
		clearstatcache(true, "$path.lock");
		$there = @lstat("$path.lock");
		$ours = fstat($file);

		return $there !== false && $ours !== false && [$there['dev'], $there['ino']] === [$ours['dev'], $ours['ino']];
	}

	private function begin(string $owner, bool $shared): void
	{
		ftruncate($this->file, 0);
		fwrite($this->file, $owner);
		fflush($this->file);
		@unlink("$this->path.bell"); // of a holder that was killed
		$bell = @stream_socket_server("unix://$this->path.bell", $errno, $error, STREAM_SERVER_BIND | STREAM_SERVER_LISTEN,
			stream_context_create(['socket' => ['backlog' => self::BACKLOG]]));
		// Without one, as where the path is too long for a socket, waiters poll.
		$this->bell = $bell === false ? null : $bell;
		if ($bell !== false && $shared) {
			@chmod("$this->path.bell", 0660);
		}
	}

	/** @param resource $bell */
	private static function sleepUntilClosed(mixed $bell, float $seconds): void
	{
		[$read, $write, $except] = [[$bell], null, null];
		@stream_select($read, $write, $except, (int) $seconds, (int) (fmod($seconds, 1.0) * 1e6));
		fclose($bell);
	}

	private static function now(): float
	{
		return hrtime(true) / 1e9;
	}
}
