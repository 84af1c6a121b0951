--TEST--
Xdebug: profiler, trace, coverage and develop mode see the run, and a loss is thrown in it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('xdebug'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
$code = <<<'PHP'
	require $argv[2];
	$redis = new Client("unix://$argv[1]");
	ini_set('html_errors', 0);
	function work($redis) {
		$redis('DEL', 'xdebug');
		for (;;) {
			piece();
		}
	}
	function piece() {
		return 1;
	}
	if (xdebug_info('mode') === ['coverage']) {
		xdebug_start_code_coverage();
	}
	foreach (['thrown', 'thrown again'] as $name) {
		expect_within($name, 0.02 + 0.1, function () use ($argv, $redis) {
			try {
				SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'xdebug', 'ttl' => 30, 'interval' => 0.02],
					function () use ($redis, &$start) {
						$start = now();
						work($redis);
					});
			} catch (RedisLock\LockLostException $e) {
				return taken($start);
			}
		}, 10);
	}
	echo json_encode(SequenceTask::execute(['unix_socket' => $argv[1], 'name' => 'xdebug'], fn () => piece())), "\n";
	if (xdebug_info('mode') === ['coverage']) {
		echo json_encode(count(array_merge(...array_values(xdebug_get_code_coverage()))) > 10), "\n";
	}
	PHP;
foreach (['develop' => '', 'profile' => '*.cg', 'trace' => '*.xt', 'coverage' => ''] as $mode => $files) {
	$php = new Php($code, [$s->socket, dirname(__DIR__) . '/inc/timing.inc'], ['zend_extension=xdebug', "xdebug.mode=$mode", 'xdebug.start_with_request=yes',
		"xdebug.output_dir=$s->dir", 'xdebug.use_compression=0', 'xdebug.profiler_output_name=profile.cg',
		'xdebug.trace_output_name=trace']);
	echo "$mode\n", $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
	foreach ($files === '' ? [] : glob("$s->dir/$files") as $file) {
		$seen = file_get_contents($file);
		var_dump(str_contains($seen, 'piece'), str_contains($seen, 'SequenceTask'));
	}
}
--EXPECT--
develop
thrown: ok
thrown again: ok
1
profile
thrown: ok
thrown again: ok
1
bool(true)
bool(true)
trace
thrown: ok
thrown again: ok
1
bool(true)
bool(true)
coverage
thrown: ok
thrown again: ok
1
true
