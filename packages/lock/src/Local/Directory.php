<?php

declare(strict_types=1);

namespace RedisLock\Local;

use RedisLock\Exception;

/**
 * @internal Where the files of locks are. Made with the rights of its user alone if it is not there; and refused where somebody else could
 * put other files in their place.
 */
final class Directory
{
	private bool $checked = false;
	private bool $shared = false;

	public function __construct(private readonly string $path)
	{
		if ($path === '' || str_contains($path, "\0") || str_contains($path, '://')) {
			throw new \ValueError('The directory of the locks must be a path.');
		}
	}

	/** The path of a lock's file. Names may be of any bytes, and longer than those of files. */
	public function file(string $key): string
	{
		$this->check();

		return "$this->path/" . substr(hash('sha256', $key), 0, 32) . '.lock';
	}

	/** Do other users of its group have locks there, too? */
	public function isShared(): bool
	{
		return $this->shared;
	}

	private function check(): void
	{
		if ($this->checked) {
			return;
		}
		clearstatcache(true, $this->path);
		if (!file_exists($this->path) && !is_link($this->path) && !@mkdir($this->path, 0700) && !is_dir($this->path)) {
			throw new Exception("the directory $this->path cannot be made: its parent must exist and be writable");
		}
		clearstatcache(true, $this->path);
		$found = @lstat($this->path);
		if ($found === false || ($found['mode'] & 0170000) !== 0040000) {
			throw new Exception("$this->path is not a directory (a symbolic link is not followed)");
		}
		$user = function_exists('posix_geteuid') ? posix_geteuid() : $found['uid'];
		$sticky = ($found['mode'] & 01000) !== 0;
		if (!$sticky && !in_array($found['uid'], [0, $user], true)) {
			throw new Exception("the directory $this->path belongs to another user, who could replace the locks in it");
		}
		if (!$sticky && ($found['mode'] & 0002) !== 0) {
			throw new Exception("the directory $this->path is writable for everybody: chmod 0700, or 1777 for locks of several users");
		}
		$this->shared = ($found['mode'] & 0020) !== 0;
		$this->checked = true;
	}
}
