--TEST--
excimer: its timers and profiler go on beside a loss, whichever extension was loaded first
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('excimer'); ?>
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
foreach (['before' => [[], ['extension=excimer']], 'after' => [['extension=excimer'], []]] as $order => [$ini, $before]) {
	$php = Php::program(__DIR__ . '/excimer.inc', [$s->socket], $ini, $before);
	echo "loaded $order us\n", $php->rest();
	if ($php->end() !== ['exit' => 0]) {
		var_dump($php->end());
	}
}
--EXPECT--
loaded before us
hot_loop: ok
asleep: ok
calls: ok
hot_loop: ok
bool(true)
loaded after us
hot_loop: ok
asleep: ok
calls: ok
hot_loop: ok
bool(true)
