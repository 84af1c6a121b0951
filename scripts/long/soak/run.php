<?php
/*
 * Drives tasks.php and locks.php, looks at them from outside, and says whether anything grew.
 */

require __DIR__ . '/../../../tests/inc/redislock.inc';
require __DIR__ . '/Watch.php';

const LOCKS = 100;

[, $minutes, $tasks] = $argv;
$server = new Server;
$redis = $server->client();
$passed = $failed = 0;

function check(string $what, bool $right, string $found): void
{
	global $passed, $failed;
	$right ? $passed++ : $failed++;
	printf("%s  %s: %s\n", $right ? 'ok    ' : 'FAILED', $what, $found);
}

/** What both parts have to show. */
function check_growth(string $part, Watch $watch): void
{
	check("$part: zombies", $watch->most('zombies') === 0, $watch->most('zombies') . ' at most');
	foreach (['parent', 'child'] as $who) {
		[$early, $late] = $watch->growth("$who fds");
		check("$part: descriptors, $who", $early > 0 && $late <= $early, "$early, later $late");
		[$early, $late] = $watch->growth("$who kB");
		/* Pages touched late, such as a stack's; what leaks with each task or renewal comes to more. */
		check("$part: resident kB, $who", $early > 0 && $late <= $early + 256, "$early, later $late");
	}
	check("$part: connections", $watch->most('connections') === 2, $watch->most('connections') . ' at most');
}

/** The process has said $last or failed; what it says after that is the reason. */
function check_end(string $part, Php $php, ?string $said, string $expected): void
{
	$right = $said === $expected;
	check("$part: all done", $right, ($said ?? 'no more output') . ($right ? '' : " instead of $expected"));
	$php->tell('end');
	$rest = $php->rest();
	check("$part: end", $php->end() === ['exit' => 0] && $rest === '', json_encode($php->end()) . " $rest");
}

echo "== $tasks short tasks in one process\n";
$batch = max(1, intdiv((int) $tasks, 40));
$php = new Php(script('tasks.php'), [$server->socket, $tasks, (string) $batch]);
$watch = new Watch($php->pid, $redis);
$start = now();
while (($line = $php->line()) !== null && str_starts_with($line, 'look')) {
	$watch->look((int) substr($line, 5));
	$php->tell('go');
}
printf("%.1f s\n", now() - $start);
/* The last child may be on its way. */
check('tasks: zombies after the last', $watch->zombies() === 0, (string) $watch->zombies());
check_growth('tasks', $watch);
check('tasks: keys left', $redis('DBSIZE') === 0, (string) $redis('DBSIZE'));
check_end('tasks', $php, $line, "done $tasks");

printf("== %d locks in one process for %s min\n", LOCKS, $minutes);
$php = new Php(script('locks.php'), [$server->socket, (string) LOCKS]);
$watch = new Watch($php->pid, $redis);
$names = array_map(fn (int $i) => "soak-$i", range(0, LOCKS - 1));
$tokens = null;
$held = LOCKS;
$start = $next = now();
while (($line = $php->line()) !== null && str_starts_with($line, 'look')) {
	$found = $redis('MGET', ...$names);
	$tokens ??= $found;
	$held = min($held, count(array_filter(array_keys($names), fn ($i) => $found[$i] !== null && $found[$i] === $tokens[$i])));
	$watch->look((int) (now() - $start));
	if ($held < LOCKS || now() - $start >= $minutes * 60) {
		$php->tell('end');
		continue;
	}
	/* A rate of looking, not a wait for something. */
	$next += 1;
	usleep((int) (max(0, $next - now()) * 1e6));
	$php->tell('go');
}
check('locks: held by the first token', $tokens !== null && $held === LOCKS, "$held of " . LOCKS . ' at least');
check_growth('locks', $watch);
check('locks: keys left', $redis('DBSIZE') === 0, (string) $redis('DBSIZE'));
check_end('locks', $php, $line, 'done ' . LOCKS);

echo "$passed passed, $failed failed, 0 skipped\n";
exit($failed === 0 ? 0 : 1);

/** A script beside this one, without its opening tag, as class Php takes it. */
function script(string $name): string
{
	return substr(file_get_contents(__DIR__ . "/$name"), strlen("<?php\n"));
}
