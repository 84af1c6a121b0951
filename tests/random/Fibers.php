<?php
/** Plays one story of fibers after the other, each in a process of its own. */
final class Fibers
{
	/** Output of the process of a story, until all else has ended there. */
	private static array $streams = [];

	public static function main(int $seed, int $stories, float $seconds): int
	{
		$servers = [new Server, new Server, new Server];
		$log = $servers[0]->dir . '/story';
		[$passed, $failed] = [0, 0];
		for ($end = now() + $seconds; $passed + $failed < $stories && now() < $end; $seed++) {
			$wrong = self::one($seed, $servers, $log);
			$wrong === '' ? $passed++ : $failed++;
			echo $wrong === '' ? '' : "--- seed $seed: $wrong\n" . file_get_contents($log);
		}
		printf("%d passed, %d failed, 0 skipped\n", $passed, $failed);
		return $failed > 0 ? 1 : 0;
	}

	/** @param list<Server> $servers */
	private static function one(int $seed, array $servers, string $log): string
	{
		file_put_contents($log, '');
		$pid = pcntl_fork();
		if ($pid === 0) {
			posix_setsid();
			foreach ([STDOUT, STDERR] as $stream) {
				fclose($stream);
				self::$streams[] = fopen($log, 'a');
			}
			(new FiberStory($seed, $servers))->play(new Dice("$seed"));
		}
		$ended = comes_true(function () use ($pid, &$status) {
			return pcntl_waitpid($pid, $status, WNOHANG) === $pid;
		}, 60);
		if (!$ended) {
			posix_kill($pid, SIGKILL);
			pcntl_waitpid($pid, $status);
		}
		array_map(fn (Server $server) => $server->thaw(), $servers);
		$said = file_get_contents($log);
		$fatal = preg_replace('/^Fatal error: fatal by intent/m', '', $said);
		preg_match_all('/^ *given: (.*)/m', $said, $given);
		$left = fn () => self::left($servers, $given[1]);
		$processes = fn () => count(preg_grep("~^\\S+ \\(.*\\) [^Z] \\S+ \\S+ $pid ~s", array_map(fn ($file) => (string) @file_get_contents($file), glob('/proc/[0-9]*/stat'))));
		$wrong = match (true) {
			!$ended => 'does not end',
			pcntl_wifsignaled($status) => 'ended by signal ' . pcntl_wtermsig($status),
			(bool) preg_match('/WRONG|Sanitizer|runtime error|(Fatal error|Warning|Deprecated):/', $fatal) => 'is wrong',
			pcntl_wexitstatus($status) !== 0 && $fatal === $said => 'ended with status ' . pcntl_wexitstatus($status),
			!comes_true(fn () => $processes() === 0, 10) => 'leaves a process',
			!comes_true(fn () => $left() === []) => 'leaves ' . json_encode($left()),
			default => '',
		};
		array_map(fn (Server $server) => $server->client()('FLUSHALL'), $servers);
		return $wrong;
	}

	/** Tokens of process-bound locks, with their keys. @param list<Server> $servers */
	public static function left(array $servers, array $given): array
	{
		foreach (array_map(fn (Server $server) => $server->client(), $servers) as $redis) {
			foreach ($redis('KEYS', 'fibers:*') as $key) {
				$value = $redis('GET', $key) ?? '';
				foreach (str_starts_with($value, '-WRONGTYPE') ? (array) $redis('ZRANGE', $key, 0, -1) : [$value] as $token) {
					if (str_contains($token, ':bound:') && !str_ends_with($token, ':done') && !in_array($token, $given, true)) {
						$left[] = "$key: $token";
					}
				}
			}
		}
		return $left ?? [];
	}
}
