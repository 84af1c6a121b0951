--TEST--
FFI: a loss waits for the end of a callback, which must not throw
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('ffi'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$server = new Server;
$php = Php::program(__DIR__ . '/ffi_callback.inc', [$server->socket], [], load('ffi'));
echo $php->rest();
?>
--EXPECT--
a callback:
  callback finished
  lost
a callback of a function by its pointer:
  callback finished
  lost
a callback within a callback:
  callback finished
  lost
a wait in a callback:
  acquire: false
  callback finished
  lost
