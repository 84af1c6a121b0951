--TEST--
renewal child: started in processes of many mappings, which stay as they are
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('ffi');
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
foreach ([500, 2000, 5000] as $count) {
	$php = Php::program(__DIR__ . '/many_mappings.inc', [$s->socket, (string) $count], [...load('ffi'), 'ffi.enable=1']);
	echo $count, ': ', $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
var_dump($s->client()('DBSIZE'));
--EXPECT--
500: [true,true,3,true]
2000: [true,true,3,true]
5000: [true,true,3,true]
int(0)
