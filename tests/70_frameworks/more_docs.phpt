--TEST--
docs/guide: the samples for Hyperf, webman and ThinkPHP run
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/docs.inc';

$samples = new Samples('require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . ';' . <<<'CODE'
	function held(): string {
		$keys = (new Client('unix://' . SOCKET))('KEYS', '*');
		return ($keys ? implode(', ', $keys) : 'nothing') . " is held\n";
	}
	function held_by_another(string $key): void {
		(new Client('unix://' . SOCKET))('SET', $key, 'rlk1:web3:4711::' . str_repeat('0', 32), 'PX', 18000);
	}
	function report() { echo held(); }
	function pay(int $order) { echo held(); }
	function config(string $key): array {
		return ['type' => 'redis', 'host' => SOCKET, 'port' => 6379, 'password' => '', 'select' => 0, 'expire' => 0];
	}
	CODE);
$uri = ["'redis://10.0.0.5'" => "'unix:{$samples->server->socket}'"];
$task = '$task = (new Hyperf\Crontab\Crontab)->setName("report")->setRule("* * * * *");';

$samples->run('docs/guide/hyperf.md', [
	['load_framework("hyperf");', "$task foreach (\$returned as \$interface => \$make) {
		\$mutex = \$make();
		\$done = \$mutex instanceof Hyperf\\Crontab\\Mutex\\TaskMutex ? \$mutex->create(\$task) : \$mutex->attempt(\$task);
		echo \$mutex instanceof \$interface && \$done ? 'acquired as ' : 'not as ', \$interface, \"\\n\";
	} echo held();", $uri],
	['', 'echo held();'],
]);
$samples->run('docs/guide/webman.md', [
	['load_framework("webman");', 'var_dump(is_a($returned[""][0], Webman\MiddlewareInterface::class, true));'],
	['$order = 7;', 'echo held();'],
	['', 'echo held();'],
]);
/* The second and the third call the function of the first. */
$common = preg_replace('~^//.*\n~', '', samples('docs/guide/thinkphp.md')[0]);
$samples->run('docs/guide/thinkphp.md', [
	['', 'var_dump(redislock("report")["host"] === SOCKET);'],
	[$common, 'echo held();'],
	[$common . '$order = 7;', 'echo held();'],
]);
echo "-- another process has the lock\n";
$samples->run('docs/guide/hyperf.md', ['the first one takes none', ['held_by_another("report");']]);
$samples->run('docs/guide/webman.md', ['the first one takes none', ['load_framework("webman"); held_by_another("pay:7"); $order = 7;', 'echo $returned->rawBody(), "\n";'],
	['held_by_another("nightly-report");']]);
$samples->run('docs/guide/thinkphp.md', ['it takes none', [$common . 'held_by_another("lock:report");'],
	[$common . 'held_by_another("lock:pay:7"); $order = 7;', 'echo "$returned\n";']]);
?>
--EXPECT--
-- docs/guide/hyperf.md, 1
acquired as Hyperf\Crontab\Mutex\TaskMutex
acquired as Hyperf\Crontab\Mutex\ServerMutex
hyperf/crontab-50688d7eea855dd8abd38dd17a47b82f95cb176a-sv is held
-- docs/guide/hyperf.md, 2
report is held
nothing is held
-- docs/guide/webman.md, 1
bool(true)
-- docs/guide/webman.md, 2
pay:7 is held
nothing is held
-- docs/guide/webman.md, 3
nightly-report is held
nothing is held
-- docs/guide/thinkphp.md, 1
bool(true)
-- docs/guide/thinkphp.md, 2
lock:report is held
nothing is held
-- docs/guide/thinkphp.md, 3
lock:pay:7 is held
nothing is held
-- another process has the lock
-- docs/guide/hyperf.md, 2
-- docs/guide/webman.md, 2
busy
-- docs/guide/webman.md, 3
-- docs/guide/thinkphp.md, 2
lock "report": held by process 4711 on web3, 18 s left unless renewed
-- docs/guide/thinkphp.md, 3
busy
