<?php
/*
 * Plays stories of calls and faults against an oracle that reads the servers. See scripts/long/random.sh.
 *
 *     run.php play SEED STORIES SECONDS
 *     run.php fibers SEED STORIES SECONDS
 *     run.php lies SEED STORIES
 *     run.php files FILE...
 */
require __DIR__ . '/../inc/redislock.inc';
spl_autoload_register(function (string $class) {
	$file = __DIR__ . match ($class) {
		'Proxy' => '/../chaos/Proxy.php',
		'RedLockLock' => '/Actor.php',
		'Known', 'Wrong' => '/Oracle.php',
		default => "/$class.php",
	};
	is_file($file) && require $file;
});

[, $what, $seed, $stories, $seconds] = $argv + [2 => '1', '1000000', 'INF'];
$runner = new Runner;
exit(match ($what) {
	'play' => $runner->many((int) $seed, (int) $stories, $seconds === 'INF' ? INF : (float) $seconds),
	'fibers' => Fibers::main((int) $seed, (int) $stories, (float) $seconds),
	'lies' => $runner->lies((int) $seed, (int) $stories),
	'files' => $runner->files(array_slice($argv, 2)),
});
