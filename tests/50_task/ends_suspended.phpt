--TEST--
SequenceTask::execute(): free at the end of a script that leaves it suspended or in a cycle
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
/* slow: 27 processes, each with a renewal child that is stopped */
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
/* A stopped renewal child cannot be the one who releases. */
$setup = '$config = ["unix_socket" => $argv[1], "name" => "ends_suspended", "ttl" => 30, "renew" => true];
	function lock() { global $config; $lock = new RedisLock($config); $_ = $lock->acquire(); return $lock; }
function freeze_child() {
	/* Once it has its name it is ready, and holds nothing of its parent any more. */
	wait_until(fn () => str_starts_with((string) @file_get_contents("/proc/" . renewal_child(getmypid()) . "/comm"), "redislock"));
	stop_process(renewal_child(getmypid()) ?: exit("no child\n"));
}
function end_of_script() { freeze_child(); echo "in\n"; fgets(STDIN); } ';
$ends = [
	'execute() in a fiber' => '$fiber = new Fiber(fn () => SequenceTask::execute($config, fn () => Fiber::suspend())); $fiber->start();',
	'lock in a fiber' => '$fiber = new Fiber(function () { $lock = lock(); Fiber::suspend(); }); $fiber->start();',
	'lock in a generator' => '$g = (function () { $lock = lock(); yield 1; yield 2; })(); $g->current();',
	'cycle' => '$a = new stdClass; $a->self = $a; $a->lock = lock(); unset($a);',
	'closure bound in a cycle' => 'class C { public $f; public $lock; } $c = new C; $c->lock = lock();
		$c->f = (fn () => $this)->bindTo($c); unset($c);',
	'static property' => 'class S { static $lock; } S::$lock = lock();',
	'static variable' => 'function f() { static $lock; $lock ??= lock(); } f();',
	'global variable' => '$lock = lock();',
	'constant array' => 'define("HELD", new ArrayObject([lock()]));',
];
foreach ($ends as $name => $code) {
	foreach (['' => '', ', fatal error' => 'eval("class Broken { function f(); }");', ', exit' => 'exit(1);'] as $how => $last) {
		$php = new Php("$setup $code end_of_script(); $last", [$s->socket]);
		$php->await('in');
		$held = $redis('EXISTS', 'ends_suspended');
		$php->tell('go');
		$php->rest();
		$php->end();
		$then = $redis('EXISTS', 'ends_suspended');
		echo $held === 1 && $then === 0 ? '' : "$name$how: held $held, then $then\n";
	}
}
echo "done\n";
--EXPECT--
done
