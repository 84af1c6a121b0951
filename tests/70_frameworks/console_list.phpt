--TEST--
redislock: list, show and release, in a terminal and without one
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

$server = new Server(true);
$redis = $server->client();
putenv("REDISLOCK_SERVER=redis://127.0.0.1:$server->port/0?prefix=console_list:");
putenv('COLUMNS=80');
$lock = fn (string $name, array $more = []) => new RedisLock($server->options(['prefix' => 'console_list:', 'name' => $name, 'ttl' => 500] + $more));

$installed = dirname(vendor_autoload()) . '/bin/redislock';
$words = redislock_command();
array_pop($words);
$run = new Run([...$words, $installed, '--version']);
echo "-- as Composer installs it\n", $run->end(), ' ', trim($run->out), "\n";

echo "-- nothing\n";
redislock('list');
redislock('show', 'a');
redislock('release', '--force', 'a');

echo "-- a lock\n";
$a = $lock('a', ['label' => 'two words', 'fence' => true]);
$_ = $a->acquire();
$token = $a->getToken();
$redis('SET', 'console_list:other', 'a session');
$redis('SET', 'elsewhere', $token);
$redis('SET', "console_list:evil\e[31m", preg_replace('/two.*?:/', 'x%1b%5b31m:', $token), 'PX', 500000);
$redis('HSET', 'console_list:hash', 'a', 'b');
redislock('list', '--match=a');
$row = json_decode((new class { function __invoke() { ob_start(); $run = redislock('list', '--match=a', '--json'); ob_end_clean(); return $run->out; } })(), true);
step('keys', implode(' ', array_keys($row)));
step('values', $row['name'], $row['kind'], $row['host'] === gethostname(), $row['pid'] === getmypid(), $row['label'], $row['waited'], $row['resting'], count($row['holders']));
expect_between('ttl', $row['ttl'], 400, 500);
step('no token', str_contains(json_encode($row), substr($token, -32)));
redislock('list', '--match=b*');
redislock('list', '--all', '--match=o*');
redislock('show', 'a');
redislock('show', 'other');
$run = new Run([...redislock_command(), 'show', 'elsewhere', '--prefix=']);
step('another prefix', $run->end());

echo "-- release\n";
redislock('list', '--match=e*');
$redis('DEL', "console_list:evil\e[31m");
redislock('release', 'a');
/* What follows the answer, whether or not the terminal had echoed that by then. */
$answered = fn (Run $run) => trim(preg_replace('~.*\[y/N\]\s*[yn]?\s*~s', '', $run->out));
foreach (["n\n", "y\n"] as $answer) {
	$run = new Run([...redislock_command(), 'release', 'a'], true);
	$run->await('[y/N]');
	$run->say($answer);
	echo $run->end(), ' ', $answered($run), "\n";
}
echo "-- of that holder only\n";
$a = $lock('a');
$_ = $a->acquire();
$run = new Run([...redislock_command(), 'release', 'a'], true);
$run->await('[y/N]');
$a->release();
$b = $lock('a');
$_ = $b->acquire();
$run->say("y\n");
echo $run->end(), ' ', $answered($run), ' ', json_encode($b->isAcquired()), "\n";
redislock('release', '-f', 'a');
echo json_encode($b->isAcquired()), "\n";

echo "-- in a terminal\n";
$lock(str_repeat('long ', 30))->lock(str_repeat('long ', 30));
$a = $lock(str_repeat('Länge ', 30));
$_ = $a->acquire();
$run = new Run([...redislock_command(), 'list'], true);
$run->end();
$lines = explode("\n", trim(preg_replace('/\e\[\d+m/', '', $run->out))); /* without colours */
echo implode(' ', preg_split('/\s+/', $lines[0], -1, PREG_SPLIT_NO_EMPTY)), ' ', max(array_map(fn ($line) => mb_strwidth(rtrim($line)), $lines)) <= 80 ? 'fits' : "too wide:\n$run->out", "\n";
$run = new Run([...redislock_command(), 'show', str_repeat('Länge ', 30)], true);
echo $run->end(), ' ', preg_match('/^holder +process \d+ on \S+\s*$/m', $run->out), "\n";

echo "-- wrong\n";
foreach ([['lst'], ['list', '--nope'], ['show'], ['list', '--server', 'unix:/nonexistent'], ['list', '--server', 'tcp://h?nope=1'], ['export', '--watch=x'],
	['show', '-s', 'unix:/nonexistent', 'a'], ['release', '-f', '-s', 'unix:/nonexistent', 'a']] as $arguments) {
	redislock(...$arguments);
}
?>
--EXPECTF--
-- as Composer installs it
0 redislock %d.%d.%d
-- nothing
0
	
1
	Nobody holds a.
1
	Nobody holds a, or no longer the same process.
-- a lock
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	a	%s	%d	two words	8m		1
keys: 'name kind host pid label ttl waited resting permits holders'
values: 'a', 'plain', true, true, 'two words', false, false, 1
ttl: ok
no token: false
0
	
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	other	(other)			never		1
0
	name     a
	kind     plain
	holder   process %d on %s (two words)
	ttl      8m
	waiters  none
	fence    1
0
	name     other
	kind     plain
	holder   another library
	ttl      none: it never ends by itself
	waiters  none
another prefix: 0
-- release
0
	NAME	HOST	PID	LABEL	TTL	WAIT	HELD
	evil?[31m	%s	%d	x?[31m	8m		1
64
	redislock: nobody is there to be asked: --force releases the lock without a question
1 It stays.
0 Released a.
-- of that holder only
1 Nobody holds a, or no longer the same process. true
0
	Released a.
false
-- in a terminal
NAME HOST PID LABEL TTL WAIT HELD fits
0 1
-- wrong
64
	redislock: there is no command "lst": run, list, show, release, export, doctor, help
64
	redislock: The "--nope" option does not exist.
64
	redislock: Not enough arguments (missing: "name").
69
	redislock: unix:///nonexistent: No such file or directory
64
	redislock: unknown option "nope"
64
	redislock: --watch takes seconds, from 0.1 to 3600
69
	redislock: unix:///nonexistent: No such file or directory
69
	redislock: lock "a": cannot connect: No such file or directory (unix:///nonexistent)
