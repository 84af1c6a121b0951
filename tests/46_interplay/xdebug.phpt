--TEST--
Xdebug: profiler, trace, coverage and develop mode see the run, and a loss is thrown in it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('xdebug'); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
foreach (['develop' => '', 'profile' => '*.cg', 'trace' => '*.xt', 'coverage' => ''] as $mode => $files) {
	$php = Php::program(__DIR__ . '/xdebug.inc', [$s->socket], ['zend_extension=xdebug', "xdebug.mode=$mode", 'xdebug.start_with_request=yes',
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
