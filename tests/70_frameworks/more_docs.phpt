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

$elsewhere = array_fill(0, 5, 'frameworks_docs_run.phpt runs it');
/* The last one calls the function before it. */
$common = preg_replace('~^//.*\n~', '', samples('docs/guide/frameworks.md')[7]);
$samples->run('docs/guide/frameworks.md', [
	...$elsewhere,
	['load_framework("hyperf");', "$task foreach (\$returned as \$interface => \$make) {
		\$mutex = \$make();
		\$done = \$mutex instanceof Hyperf\\Crontab\\Mutex\\TaskMutex ? \$mutex->create(\$task) : \$mutex->attempt(\$task);
		echo \$mutex instanceof \$interface && \$done ? 'acquired as ' : 'not as ', \$interface, \"\\n\";
	} echo held();", $uri],
	['', 'static $left; echo $middleware(7, function (int $order) use (&$left) {
		$left = new RedisLock(["name" => "pay:$order", "renew" => true]);
		$_ = $left->acquire();
		pay($order);
		return "paid";
	}), ", ", held();'],
	['', 'var_dump(redislock("report")["host"] === SOCKET);'],
	[$common, 'echo held();'],
]);
echo "-- another process has the lock\n";
$samples->run('docs/guide/frameworks.md', [...array_fill(0, 8, 'they take none, or leave it'), [$common . 'held_by_another("lock:report");']]);
?>
--EXPECTF--
-- docs/guide/frameworks.md, 6
acquired as Hyperf\Crontab\Mutex\TaskMutex
acquired as Hyperf\Crontab\Mutex\ServerMutex
hyperf/crontab-50688d7eea855dd8abd38dd17a47b82f95cb176a-sv is held
-- docs/guide/frameworks.md, 7
pay:7 is held
paid, nothing is held
-- docs/guide/frameworks.md, 8
bool(true)
-- docs/guide/frameworks.md, 9
lock:report is held
nothing is held
-- another process has the lock
-- docs/guide/frameworks.md, 9
lock "report": held by process 4711 on web3, 1%d s left unless renewed
