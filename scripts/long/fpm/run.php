<?php
/*
 * Drives the requests, disturbs those who answer them, and says what was left.
 */

require __DIR__ . '/../../../tests/inc/sapi.inc';
require __DIR__ . '/Watch.php';

const WORKERS = 4;
const AT_ONCE = 3;

[, $count, $seed] = array_map(intval(...), $argv);
mt_srand($seed);
$server = new Server(true);
$redis = $server->client();
$fpm = new Fpm($server, 'pm = static
pm.max_children = ' . WORKERS . '
pm.max_requests = 400
request_terminate_timeout = 20
php_admin_value[redislock.renewal_idle] = 0.5');
$watch = new Watch($fpm);
$module = key(loaded_extensions('redislock'));

$name = '"fpm-" . mt_rand(0, 99)';
$scripts = array_map($fpm->script(...), [
	"task($name, fn () => print('ok'));",
	"task($name, fn () => print('ok'));",
	"task($name, function () { usleep(mt_rand(0, 5000)); echo 'ok'; });",
	"\$GLOBALS['kept'] = locked($name); echo 'ok';",
	"task($name, function () { task('inner-' . mt_rand(), fn () => exit('ok')); });",
	"ini_set('display_errors', 0); echo 'ok'; \$lock = locked($name); eval('class Broken { function f(); }');",
	"SequenceTask::execute(redis(['name' => 'queue', 'wait' => 20, 'retry_ms' => 5]), fn () => print('ok'));",
	"\$lease = new RedisLock(redis(['name' => 'lease-' . mt_rand(), 'ttl' => 1])); echo \$lease->acquire() && \$lease->release() ? 'ok' : 'refused';",
	'echo "ok";',
]);
$answers = ['ok' => 0, 'refused' => 0, 'broken off' => 0, 'other' => 0];
$example = '';
$done = ['worker: SIGKILL' => 0, 'worker: SIGSEGV' => 0, 'worker: SIGTERM' => 0, 'worker: SIGQUIT' => 0, 'child: SIGKILL' => 0,
	'reload' => 0, 'pause' => 0];

/* A name in use is an answer, too: only "queue" is waited for. */
function count_answer(string $said): void
{
	global $answers, $example;
	$kind = match (true) {
		$said === 'ok' => 'ok',
		str_contains($said, 'NotAcquiredException') || str_contains($said, 'refused') => 'refused',
		default => 'other',
	};
	$answers[$kind]++;
	$example = $kind === 'other' && $example === '' ? $said : $example;
}

function finish(array &$requests, int $leave): void
{
	global $answers;
	while (count($requests) > $leave) {
		$request = array_shift($requests);
		try {
			$said = $request->rest();
			$request->pid && $said !== '' ? count_answer($said) : $answers['broken off']++;
		} catch (RuntimeException) {
			$answers['broken off']++;
		}
	}
}

function disturb(array &$requests): void
{
	global $done, $watch;
	$workers = $watch->workers();
	if (!$workers) {
		return;
	}
	$pid = $workers[mt_rand(0, count($workers) - 1)];
	$how = ['SIGKILL', 'SIGKILL', 'SIGSEGV', 'SIGTERM', 'SIGQUIT', 'child'][mt_rand(0, 5)];
	if ($how === 'child') {
		$child = renewal_child($pid);
		$done['child: SIGKILL'] += $child !== 0 && posix_kill($child, SIGKILL) ? 1 : 0;
		return;
	}
	if ($how === 'SIGQUIT') {
		finish($requests, 0); /* a worker ends when its client has read the answer */
	}
	$done["worker: $how"]++;
	$watch->until_gone([$pid], fn () => posix_kill($pid, constant($how)));
}

echo "== $count requests to ", WORKERS, " workers of PHP-FPM, seed $seed\n";
$start = now();
$requests = [];
for ($i = 1; $i <= $count; $i++) {
	try {
		$requests[] = $fpm->run($scripts[mt_rand(0, count($scripts) - 1)]);
	} catch (Throwable) {
		$answers['broken off']++;
	}
	if ($i % 1000 === 0) {
		finish($requests, 0);
		$watch->look();
		$done['reload']++;
		$watch->until_gone($watch->workers(), fn () => $fpm->signal(SIGUSR2));
		wait_until(fn () => count($watch->workers()) === WORKERS);
		if ($i % 2000 === 0) {
			$done['pause']++;
			foreach (range(1, 20) as $ignored) {
				count_answer($fpm->run($scripts[0])->rest());
			}
			wait_until(fn () => array_sum(array_map(fn ($pid) => count(renewal_children($pid)), $watch->workers())) === 0);
			$watch->look();
		}
		printf("%6d requests, %.0f s\n", $i, now() - $start);
	} elseif (mt_rand(0, 24) === 0) {
		disturb($requests);
	}
	finish($requests, AT_ONCE - 1);
}
finish($requests, 0);
$watch->look();
printf("%.1f s; answers: %s; done: %s\n", now() - $start, json_encode($answers), json_encode($done));

$passed = $failed = 0;
function check(string $what, bool $right, string|int $found): void
{
	global $passed, $failed;
	$right ? $passed++ : $failed++;
	printf("%s  %s: %s\n", $right ? 'ok    ' : 'FAILED', $what, $found);
}

sort($watch->outlived);
$ended = count($watch->outlived);
$at = fn (float $part) => $watch->outlived[(int) ($part * ($ended - 1))] ?? 0;
check('answers that no request should give', $answers['other'] === 0, "$answers[other] $example");
/* One request a kill at the most, and those under way at a reload. */
$ends = array_sum($done) - $done['child: SIGKILL'];
check('requests broken off', $answers['broken off'] <= $ends * AT_ONCE, $answers['broken off']);
check('ms that a child outlives its worker', $ended > 0 && $at(1) <= 50,
	sprintf('median %.1f, p99 %.1f, most %.1f of %d', $at(0.5), $at(0.99), $at(1), $ended));
check('children of a worker', $watch->children === 1, "$watch->children at most");
check('zombies', $watch->zombies === 0, $watch->zombies);
check('listening sockets in children', $watch->listening === 0, $watch->listening);
check('descriptors of a child', $watch->descriptors['child'] <= Watch::CHILD_DESCRIPTORS, $watch->descriptors['child'] . ' at most');
/* FPM's own, one connection of each kind, control socket and pidfd; what leaks with each request comes to more. */
check('descriptors of a worker', $watch->descriptors['worker'] <= 24, $watch->descriptors['worker'] . ' at most');
/* What wakes waiters is no lock, and expires. */
$locks = fn () => count(array_filter($redis('KEYS', '*'), fn ($key) => !str_contains($key, ':rlk:')));
check('locks left', comes_true(fn () => $locks() === 0, 5), $locks());
$fpm->signal(SIGQUIT);
check('FPM ends', $fpm->awaitEnd(), 'when told to');
check('processes left', comes_true(fn () => Watch::users($module) === [], 2), count(Watch::users($module)));
check('connections left', comes_true(fn () => preg_match('/connected_clients:1\r/', $redis('INFO', 'clients')) === 1, 2),
	preg_match('/connected_clients:(\d+)/', $redis('INFO', 'clients'), $m) ? $m[1] - 1 : '?');

echo "$passed passed, $failed failed, 0 skipped\n";
exit($failed === 0 ? 0 : 1);
