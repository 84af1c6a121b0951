<?php
/*
 * What the critical sections count in. They read a number and write it back one higher; both must be done by one
 * process at a time, or counts are lost.
 *
 * With a fence each call carries it, and one lower than a fence seen before is refused. The reading counts, too: were
 * only writes refused, then a holder that woke up late could write between its successor's reading and writing.
 */

interface Store
{
	public function name(): string;

	/** null: refused. */
	public function read(string $name, ?int $fence): ?int;

	/** false: refused. */
	public function write(string $name, int $value, ?int $fence): bool;
}

/** A file for each name: highest fence and value in one line, written by one system call. */
final class FileStore implements Store
{
	public function __construct(private string $dir)
	{
	}

	public function name(): string
	{
		return 'file';
	}

	public function read(string $name, ?int $fence): ?int
	{
		return $this->access($name, null, $fence);
	}

	public function write(string $name, int $value, ?int $fence): bool
	{
		return $this->access($name, $value, $fence) !== null;
	}

	/**
	 * With a fence comparing and writing must be one step, which is what flock() is for here; without, nothing helps.
	 * The file is opened anew because an exception may come between any two of these lines, and closing unlocks.
	 */
	private function access(string $name, ?int $value, ?int $fence): ?int
	{
		$file = fopen("$this->dir/$name.count", 'c+');
		if ($fence !== null) {
			flock($file, LOCK_EX);
		}
		[$highest, $found] = array_map(intval(...), explode(' ', fread($file, 64) ?: '0 0'));
		$refused = $fence !== null && $fence < $highest;
		if (!$refused && ($value !== null || $fence > $highest)) {
			fseek($file, 0);
			fwrite($file, sprintf("%020d %020d\n", $fence, $value ?? $found));
		}
		return $refused ? null : $value ?? $found;
	}
}

/** A server of its own, which nobody troubles. */
final class RedisStore implements Store
{
	private const ACCESS = <<<'LUA'
		local fence = tonumber(ARGV[1])
		if fence < tonumber(redis.call('HGET', KEYS[1], 'fence') or 0) then
			return false
		end
		redis.call('HSET', KEYS[1], 'fence', fence)
		if ARGV[2] then
			redis.call('HSET', KEYS[1], 'value', ARGV[2])
		end
		return redis.call('HGET', KEYS[1], 'value') or '0'
		LUA;

	public function __construct(private Client $redis)
	{
	}

	public function name(): string
	{
		return 'redis';
	}

	public function read(string $name, ?int $fence): ?int
	{
		if ($fence === null) {
			return (int) ($this->redis)('HGET', $name, 'value');
		}
		$found = ($this->redis)('EVAL', self::ACCESS, 1, $name, $fence);
		return $found === null ? null : (int) $found;
	}

	public function write(string $name, int $value, ?int $fence): bool
	{
		if ($fence === null) {
			return ($this->redis)('HSET', $name, 'value', $value) >= 0;
		}
		return ($this->redis)('EVAL', self::ACCESS, 1, $name, $fence, $value) !== null;
	}
}
