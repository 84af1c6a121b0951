--TEST--
RedisLock\LockLostException: arrives with opcache, JIT off, tracing and function
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('Zend OPcache') && !is_file(PHP_EXTENSION_DIR . '/opcache.so')) {
	die('skip opcache is not installed');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$job = <<<'PHP'
	[, $server, $name, $recursion, $timing] = $argv;
	require $timing;
	$redis = new Client("unix://$server");
	echo ini_get('opcache.jit') ?: 'off', ': JIT ', opcache_get_status(false)['jit']['on'] ? 'on' : 'off', "\n";

	function hot() {
		for ($i = 0, $sum = 0;; $i++) {
			$sum += $i & 3;
		}
	}
	function strings() {
		for ($text = 'x';;) {
			$text = str_repeat('x', strlen($text) % 100 + 1);
		}
	}
	function arrays() {
		for ($list = [3, 1, 2];;) {
			$list = array_reverse(array_merge(array_slice($list, 1), [count($list)]));
		}
	}
	function callbacks() {
		for ($list = range(1, 20);;) {
			$sum = array_sum(array_map(fn ($x) => $x * 2, $list));
			usort($list, fn ($a, $b) => $b <=> $a);
		}
	}
	function fib($n) {
		return $n < 2 ? $n : fib($n - 1) + fib($n - 2);
	}
	function recursion() {
		return fib(60);
	}

	/* Function JIT looks for interrupts in loops only: a recursion without one goes on to its end. */
	foreach (['hot', 'strings', 'arrays', 'callbacks', ...$recursion ? ['recursion'] : []] as $code) {
		expect_within($code, 0.05 + 0.1, function () use ($redis, $server, $code, $name) {
			try {
				SequenceTask::execute(['unix_socket' => $server, 'name' => $name, 'interval' => 0.05],
					function () use ($redis, $code, $name, &$start) {
						/* Compiled and hot by the time of the loss, which the next renewal finds. */
						$start = now();
						$redis('DEL', $name);
						$code();
						echo "not reached\n";
					});
			} catch (RedisLock\LockLostException $e) {
				return taken($start);
			}
		}, 10);
	}
	/* Damage done is noticed by whoever allocates next. */
	for ($i = 0, $list = []; $i < 10000; $i++) {
		$list[] = md5((string) $i);
	}
	echo count($list), "\n";
PHP;

$ini = ['opcache.enable_cli=1', 'opcache.jit_buffer_size=32M', 'opcache.file_update_protection=0'];
if (PHP_DEBUG) {
	$ini[] = 'report_memleaks=0'; /* of what the engine itself loses when an exception comes between two instructions */
}
if (!extension_loaded('Zend OPcache')) {
	array_unshift($ini, 'zend_extension=' . PHP_EXTENSION_DIR . '/opcache.so');
}
foreach (['off' => 1, 'tracing' => 1, 'function' => 0] as $jit => $recursion) {
	$php = new Php($job, [$s->socket, 'opcache_jit', $recursion, dirname(__DIR__) . '/inc/timing.inc'], [...$ini, "opcache.jit=$jit"]);
	echo $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
--EXPECT--
off: JIT off
hot: ok
strings: ok
arrays: ok
callbacks: ok
recursion: ok
10000
tracing: JIT on
hot: ok
strings: ok
arrays: ok
callbacks: ok
recursion: ok
10000
function: JIT on
hot: ok
strings: ok
arrays: ok
callbacks: ok
10000
