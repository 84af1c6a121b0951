--TEST--
PHP-FPM: the client waits a second at most for the end of a request whose server hangs, however many locks it has
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$ends = [
	'script' => 'class Keep { static $lock; } Keep::$lock = locked("a"); function keep() { static $lock; $lock = locked("b"); } keep();
		$c = locked("c"); $o = new stdClass; $o->self = $o; $o->lock = locked("d"); unset($o);
		function last() { $lock = locked("e"); gate(); echo "said"; } last();',
	'exit in nested calls' => 'function inner($name) { task($name, fn () => $name < "e" ? inner(++$name) : [gate(), exit("said")]); } inner("a");',
];
foreach ($ends as $name => $code) {
	$request = $fpm->request($code)->await('in');
	$s->freeze();
	$start = now();
	echo "$name: ", $request->go()->rest(), "\n";
	expect_taken('seconds', $start, 0, 1.4);
	$s->thaw();
	wait_until(fn () => $redis('DBSIZE') === 0);
	$next = $fpm->request('$lock = locked("a"); unset($lock); $other = locked("a"); echo "taken";');
	echo $next->pid === $request->pid ? 'the same worker' : 'another worker', ': ', $next->rest(), "\n";
}
--EXPECT--
script: said
seconds: ok
the same worker: taken
exit in nested calls: said
seconds: ok
the same worker: taken
