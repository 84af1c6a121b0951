--TEST--
The end of a request waits a second at most for servers that hang, however many locks it has and whatever keeps them
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/timing.inc';
/* Every time limit is 2 s: one of them alone would be too long. */
$servers = servers(5);
$ends = [
	'local variables' => 'function f() { $l = locks(); told(); } f();',
	'local variables, exit' => 'function f() { $l = locks(); told(); exit; } f();',
	'local variables of calls, exit' => 'function f($n) { $l = lock($n); $n > 1 ? f($n - 1) : [told(), exit]; } f(5);',
	'local variables, exception' => 'ini_set("display_errors", "0");
		function f($n) { $l = lock($n); $n > 1 ? f($n - 1) : [told(), throw new Exception]; } f(5);',
	'globals' => '[$a, $b, $c, $d, $e] = locks(); told();',
	'globals, exit' => '[$a, $b, $c, $d, $e] = locks(); told(); exit;',
	'globals, fatal error' => 'ini_set("display_errors", "0"); [$a, $b, $c, $d, $e] = locks(); told(); eval("class A { function f(); }");',
	'globals that refer to each other' => '$a = new ArrayObject(locks()); $b = [&$a]; $a[] = $b; told();',
	'static variable' => 'function f() { static $l; $l = locks(); } f(); told();',
	'static property' => 'class S { static $l; } S::$l = locks(); told();',
	'cycles' => 'for ($i = 1; $i <= 5; $i++) { $o = new stdClass; $o->self = $o; $o->lock = lock($i); unset($o); } told();',
	'generator' => '$g = (function () { $l = locks(); yield; })(); $g->current(); told();',
	'fibers' => 'for ($i = 1; $i <= 5; $i++) { ($f[$i] = new Fiber(function () use ($i) { $l = lock($i); Fiber::suspend(); }))->start(); } told();',
	'many ways' => 'class S { static $l; } S::$l = lock(1); function s() { static $l; $l = lock(2); } s(); $g = lock(3);
		$o = new stdClass; $o->self = $o; $o->lock = lock(4); unset($o); function f() { $l = lock(5); told(); } f();',
	'shutdown functions' => 'for ($i = 1; $i <= 5; $i++) { register_shutdown_function(function () use ($i) { static $l; $l = lock($i); });
		} register_shutdown_function(told(...));',
	'callbacks of shutdown functions' => '$l = locks(); register_shutdown_function(function () { global $l; told(); array_walk($l, function (&$one) { $one = null; }); });',
	'destructors' => 'class D { public function __construct(public $lock) {} public function __destruct() { $this->lock = null; } }
		$l = array_map(fn ($lock) => new D($lock), locks()); told();',
	'execute(), exit' => 'function f($n) { SequenceTask::execute(options($n), fn () => $n > 1 ? f($n - 1) : [told(), exit]); } f(5);',
	'execute(), fatal error' => 'ini_set("display_errors", "0");
		function f($n) { SequenceTask::execute(options($n), fn () => $n > 1 ? f($n - 1) : [told(), eval("class A { function f(); }")]); } f(5);',
	'execute(), in a shutdown function' => 'function f($n) { @SequenceTask::execute(options($n), fn () => $n > 1 ? f($n - 1) : told()); }
		register_shutdown_function(f(...), 5);',
	'synchronized(), exit' => 'function f($n) { (new RedisLock(options($n)))->synchronized(fn () => $n > 1 ? f($n - 1) : [told(), exit]); } f(5);',
	'execute() in fibers' => 'for ($i = 1; $i <= 5; $i++) {
		($f[$i] = new Fiber(fn () => SequenceTask::execute(options($i), fn () => Fiber::suspend())))->start(); } told();',
	'one object' => '$l = new RedisLock(["renew" => true] + options(0)); for ($i = 1; $i <= 5; $i++) { $l->lock("$i"); } told();',
	'own tokens' => '$l = array_map(fn ($i) => lock($i, ["token" => "own$i"]), range(1, 5)); told();',
	'reentrant' => '$l = array_map(fn ($i) => [lock($i, ["reentrant" => true]), lock($i, ["reentrant" => true])], range(1, 5)); told();',
	'five servers' => '$l = array_map(fn ($i) => lock($i, ["unix_socket" => $argv[2 + $i]]), range(1, 5)); told();',
	'quorums' => '$l = array_map(fn ($i) => lock($i, ["servers" => array_slice($argv, 3, 5), "unix_socket" => null]), range(1, 5)); told();',
	'RedLock' => '$red = new RedLock(array_slice($argv, 3, 5), 1, 1, ["renew" => true, "read_timeout" => 2, "prefix" => "$argv[1]:"]);
		for ($i = 1; $i <= 5; $i++) { $red->lock("$i", 60000); } told();',
	'leases' => '$l = array_map(fn ($i) => lock($i, ["renew" => false]), range(1, 5)); told();',
];
$common = '
	function options($i, array $more = []) { global $argv; return array_filter($more + ["unix_socket" => $argv[2], "name" => "$argv[1]:$i", "ttl" => 60,
		"timeout" => 2, "read_timeout" => 2], fn ($option) => $option !== null); }
	function lock($i, array $more = []) { $lock = new RedisLock(options($i, $more + ["renew" => true])); $lock->acquire() || exit("not acquired\n"); return $lock; }
	function locks() { return array_map(lock(...), range(1, 5)); }
	function told() { echo "in\n"; fgets(STDIN); }
';

function play(array $ends, array $ini): void
{
	global $servers, $common;
	$sockets = array_map(fn ($server) => "unix:$server->socket", $servers);
	foreach ($ends as $name => $code) {
		$running[$name] = new Php($common . $code, [$name, $servers[0]->socket, ...($name === 'five servers' ? array_column($servers, 'socket') : $sockets)], $ini);
	}
	foreach ($running as $php) {
		$php->await('in');
	}
	foreach ($servers as $server) {
		$server->freeze();
	}
	$began = now();
	foreach ($running as $php) {
		$php->tell('go');
	}
	wait_until(function () use ($running, $began, &$took) {
		foreach ($running as $name => $php) {
			if (!isset($took[$name]) && !is_running($php->pid)) {
				$took[$name] = taken($began);
			}
		}
		return count($took ?? []) === count($running);
	}, 60);
	foreach ($running as $name => $php) {
		printf("%s: %s%s\n", $name, $took[$name] < 1.4 ? 'in time' : sprintf('%.2f s', $took[$name]), $php->rest());
	}
	foreach ($servers as $server) {
		$server->thaw();
	}
	/* All of them were left to somebody who has more time. */
	foreach ($servers as $server) {
		$redis = $server->client();
		$left = fn () => preg_grep('/^(?!leases|own)/', $redis('KEYS', '*:?'));
		if (!comes_true(fn () => $left() === [], 30)) {
			echo 'left on ', basename($server->dir), ': ', json_encode(array_map(fn ($key) => [$key, $redis('GET', $key), $redis('PTTL', $key)], $left())), "\n";
		}
		$redis('FLUSHALL');
	}
}

foreach (array_chunk($ends, 10, true) as $some) {
	play($some, []);
}
echo "-- by a thread\n";
play(array_intersect_key($ends, ['many ways' => 0, 'execute(), exit' => 0, 'globals, fatal error' => 0]), ['redislock.renewal=thread']);
?>
--EXPECT--
local variables: in time
local variables, exit: in time
local variables of calls, exit: in time
local variables, exception: in time
globals: in time
globals, exit: in time
globals, fatal error: in time
globals that refer to each other: in time
static variable: in time
static property: in time
cycles: in time
generator: in time
fibers: in time
many ways: in time
shutdown functions: in time
callbacks of shutdown functions: in time
destructors: in time
execute(), exit: in time
execute(), fatal error: in time
execute(), in a shutdown function: in time
synchronized(), exit: in time
execute() in fibers: in time
one object: in time
own tokens: in time
reentrant: in time
five servers: in time
quorums: in time
RedLock: in time
leases: in time
-- by a thread
globals, fatal error: in time
many ways: in time
execute(), exit: in time
