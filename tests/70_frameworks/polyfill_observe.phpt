--TEST--
The polyfill: an observer that throws, and a handler that turns its warning into an exception, take nothing from a lock
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$server = new Server;
$php = new Php('
	$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "polyfill_observe", "ttl" => 30]);
	RedisLock\observe(fn (string $event) => throw new DomainException($event));
	set_error_handler(function (int $level, string $text) {
		echo "$text\n";
		throw new ErrorException($text);
	});
	echo json_encode([$lock->acquire(), $lock->isHeld(), $lock->release(), $lock->isHeld()]), "\n";
', [$server->socket], polyfill: true);
echo $php->rest();
?>
--EXPECT--
The observer of locks has thrown DomainException: acquired
The observer of locks has thrown DomainException: released
[true,true,true,false]
