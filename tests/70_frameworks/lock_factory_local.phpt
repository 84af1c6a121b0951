--TEST--
LockFactory::local(): locks of one machine, which end with their process, and whose waiters soon have them
--EXTENSIONS--
posix
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();
require_once __DIR__ . '/../inc/outcome.inc';
require_once __DIR__ . '/../inc/timing.inc';

use RedisLock\LockFactory;

$dir = sys_get_temp_dir() . '/lock_factory_local-' . getmypid();
$locks = LockFactory::local($dir, ['label' => 'test']);
$files = fn () => array_map(fn ($file) => substr($file, 32), array_values(array_diff(scandir($dir), ['.', '..'])));
/* A holder in a process of its own, which ends when its standard input says so or closes. */
$hold = function (string $name) use ($dir): Php {
	$php = Php::program(__DIR__ . '/lock_factory_local.inc', [$dir, $name]);
	$php->await('held');
	return $php;
};

echo "-- held and released\n";
[$a, $b] = [$locks->lock('job'), $locks->lock('job')];
step('taken once', $a->acquire(), $b->acquire(), $a->isHeld(), $a->isAcquired(), $a->remaining(), $a->keepAlive(5), $b->remaining(), (string) $a);
step('files', decoct(fileperms($dir) & 07777), $files());
step('freed', $a->release(), $a->release(), $files(), $b->acquire(), outcome(fn () => $b->acquire()));
unset($b);
step('with its object', $a->acquire(), $a->release());

echo "-- run\n";
step('result', $locks->run('job', fn ($lock) => [$lock->isHeld(), $lock->getName(), outcome(fn () => $locks->run('job', 'time'))]) ===
	[true, 'job', 'RedisLock\NotAcquiredException: lock "job": held by host ' . gethostname() . ', process ' . getmypid()], $files());
step('throws', outcome(fn () => $locks->run('job', fn () => throw new DomainException('mine'))), $files());
step('removed', outcome(fn () => $locks->run('job', fn () => array_map(unlink(...), glob("$dir/*")) ? 'result' : '')));
$_ = $a->acquire();
array_map(unlink(...), glob("$dir/*"));
step('asks', $a->isHeld(), $locks->lock('job')->acquire(), $a->keepAlive(), $a->isHeld(), $files());

echo "-- waits\n";
foreach (['released' => 'go', 'killed' => null] as $how => $say) {
	$holder = $hold('job');
	$began = now();
	$fork = pcntl_fork();
	if ($fork === 0) { // frees it when the wait goes on
		pause(0.2, 'so that the other waits by then');
		$say === null ? posix_kill($holder->pid, SIGKILL) : $holder->tell($say);
		posix_kill(getmypid(), SIGKILL);
	}
	$lock = $locks->lock('job');
	step($how, $lock->acquire(20), $lock->isHeld());
	expect_taken('waited', $began, 0.2, 5);
	pcntl_waitpid($fork, $status);
	$lock->release();
}
$holder = $hold('job');
$began = [now(), getrusage()];
step('in vain', $locks->lock('job')->acquire(0.5));
expect_taken('waited', $began[0], 0.49, 2);
$now = getrusage();
expect_between('CPU of the wait', ($now['ru_utime.tv_usec'] - $began[1]['ru_utime.tv_usec']) / 1e6 + $now['ru_utime.tv_sec'] - $began[1]['ru_utime.tv_sec'], 0, 0.05);
step('who', str_contains(outcome(fn () => $locks->run('job', 'time')), "process $holder->pid"));
$holder->tell("go");

echo "-- many at once, and each dies inside\n";
file_put_contents("$dir.count", '0');
$gate = $locks->lock('count');
$_ = $gate->acquire();
$all = array_map(fn () => Php::program(__DIR__ . '/lock_factory_local.inc', [$dir, 'count', "$dir.count", '150']), range(1, 8));
foreach ($all as $one) {
	$one->await('ready');
}
$gate->release();
foreach ($all as $one) {
	$one->await('dies');
}
step('counted', (int) file_get_contents("$dir.count"), $locks->lock('count')->acquire(20), unlink("$dir.count"));

echo "-- a forked copy\n";
$lock = $locks->lock('fork');
$_ = $lock->acquire();
$fork = pcntl_fork();
if ($fork === 0) {
	echo json_encode([$lock->isHeld(), $lock->release(), $lock->remaining(), $locks->lock('fork')->acquire()]), "\n";
	unset($lock);
	posix_kill(getmypid(), SIGKILL);
}
pcntl_waitpid($fork, $status);
step('still held', $lock->isAcquired(), $lock->release());

echo "-- refused\n";
foreach (['ttl' => 5, 'token' => 'x', 'fence' => true, 'servers' => ['a'], 'host' => 'x', 'reentrant' => true, 'hold_at_least' => 1, 'permits' => 3, 'weight' => 2, 'shared' => true, 'renew' => false,
	'wait' => -1, 'label' => str_repeat('x', 65)] as $option => $value) {
	echo strtok(outcome(fn () => $locks->lock('job', [$option => $value])), ','), "\n";
}
step('others', outcome(fn () => LockFactory::local($dir, ['port' => 1])),
	outcome(fn () => LockFactory::local('')), outcome(fn () => $locks->lock('')), outcome(fn () => $locks->lock('job')->acquire(true)));

echo "-- the directory\n";
$said = fn (string $path) => str_replace($dir, 'DIR', outcome(fn () => LockFactory::local($path)->lock('job')->acquire()));
chmod($dir, 0777);
step('for everybody', $said($dir));
chmod($dir, 01777);
step('sticky', $said($dir));
chmod($dir, 0700);
symlink($dir, "$dir.link");
step('a link', $said("$dir.link"), $said("$dir.link/nothing"), $said("$dir/no/parent"));
unlink("$dir.link");
rmdir("$dir/nothing");
$file = "$dir/" . substr(hash('sha256', 'job'), 0, 32) . '.lock';
symlink("$dir/elsewhere", $file);
step('a planted link', preg_replace('/[0-9a-f]{32}/', '…', $said($dir)), file_exists("$dir/elsewhere"));
unlink($file);
posix_mkfifo($file, 0600);
step('a planted pipe', preg_replace('/[0-9a-f]{32}/', '…', $said($dir)));
unlink($file);
step('empty', $files(), rmdir($dir));
?>
--EXPECT--
-- held and released
taken once: true, false, true, true, INF, true, 0.0, 'job'
files: '700', array (
  0 => '.lock',
)
freed: true, false, array (
), true, 'LogicException: lock "job" is already held by this object'
with its object: true, true
-- run
result: true, array (
)
throws: 'DomainException: mine', array (
)
removed: 'RedisLock\\LockLostException: lock "job" was lost: its file was removed'
asks: true, true, false, false, array (
)
-- waits
released: true, true
waited: ok
killed: true, true
waited: ok
in vain: false
waited: ok
CPU of the wait: ok
who: true
-- many at once, and each dies inside
counted: 1200, true, true
-- a forked copy
[false,false,0,false]
still held: true, true
-- refused
ValueError: Option "ttl" makes no sense for locks of one machine
ValueError: Option "token" makes no sense for locks of one machine
ValueError: Option "fence" makes no sense for locks of one machine
ValueError: Option "servers" makes no sense for locks of one machine
ValueError: Option "host" makes no sense for locks of one machine
ValueError: Option "reentrant" makes no sense for locks of one machine
ValueError: Option "hold_at_least" makes no sense for locks of one machine
ValueError: Option "permits" makes no sense for locks of one machine
ValueError: Option "weight" makes no sense for locks of one machine
ValueError: Option "shared" makes no sense for locks of one machine
ValueError: option "renew" must not be false here
ValueError: option "wait" must be 0
ValueError: option "label" must be at most 64 bytes long
others: 'ValueError: Option "port" makes no sense for locks of one machine, which have "name", "prefix", "label", "wait", "waitTime", "renew".', 'ValueError: The directory of the locks must be a path.', 'ValueError: option "name" must not be empty', 'TypeError: RedisLock\\Local\\LocalLock::acquire(): Argument #1 ($wait) must be of type ?float, bool given; INF waits without limit'
-- the directory
for everybody: 'RedisLock\\Exception: the directory DIR is writable for everybody: chmod 0700, or 1777 for locks of several users'
sticky: 'true'
a link: 'RedisLock\\Exception: DIR.link is not a directory (a symbolic link is not followed)', 'true', 'RedisLock\\Exception: the directory DIR/no/parent cannot be made: its parent must exist and be writable'
a planted link: 'RedisLock\\Exception: DIR/….lock is no regular file', false
a planted pipe: 'RedisLock\\Exception: DIR/….lock is no regular file'
empty: array (
), true
