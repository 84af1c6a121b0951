--TEST--
excimer: a loss is not told out of a timer's callback that came between the arguments of a call, before PHP 8.4
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('excimer'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
$php = Php::program(__DIR__ . '/excimer_amid_call.inc', [$s->socket], ['extension=excimer']);
echo $php->rest();
var_dump($php->end());
--EXPECT--
bool(true)
bool(false)
bool(false)
array(1) {
  ["exit"]=>
  int(0)
}
