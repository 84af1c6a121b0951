--TEST--
RedisLock\observe() and stats(), of the extension and of the polyfill: an observer uses the lock, throws, and takes itself away; a copy counts anew
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$server = new Server;
$code = <<<'CODE'
	$lock = new RedisLock(['unix_socket' => $argv[1], 'name' => 'polyfill_observe', 'ttl' => 30]);
	$say = fn (string $what, bool ...$values) => print("$what: " . json_encode($values) . "\n");
	RedisLock\observe(function (string $event) use ($lock, $say) {
		$say("  $event", $lock->isHeld(), $event === 'acquired' ? $lock->isAcquired() : $lock->acquire(), $lock->release());
	});
	$say('released by it', $lock->acquire(), $lock->isHeld(), $lock->release());
	RedisLock\observe(null);
	$say('not observed', $lock->acquire());
	RedisLock\observe(fn (string $event) => $say("  $event", $lock->isHeld()));
	$say('released', $lock->release());
	RedisLock\observe(function (string $event) use ($say) {
		$say("  $event");
		RedisLock\observe(null);
	});
	$say('takes itself away', $lock->acquire(), $lock->release());

	RedisLock\observe(fn (string $event) => throw new DomainException($event));
	set_error_handler(function (int $level, string $text) {
		echo '  ', strstr($text, 'The observer'), "\n";
		throw new ErrorException($text);
	});
	$say('throws', $lock->acquire(), $lock->isHeld(), $lock->release(), $lock->isHeld());
	$say('counted', RedisLock\stats()['acquired'] > 0);
	if (pcntl_fork() === 0) {
		$say('in a copy', RedisLock\stats()['acquired'] > 0);
		exit;
	}
	pcntl_wait($_);
	CODE;
$said = array_map(fn (bool $polyfill) => (new Php($code, [$server->socket], polyfill: $polyfill))->rest(), [false, true]);
echo $said[0], $said[0] === $said[1] ? "The polyfill says the same.\n" : $said[1];
?>
--EXPECT--
  acquired: [true,true,true]
released by it: [true,false,false]
not observed: [true]
  released: [false]
released: [true]
  acquired: []
takes itself away: [true,true]
  The observer of locks has thrown DomainException: acquired
  The observer of locks has thrown DomainException: released
throws: [true,true,true,false]
counted: [true]
in a copy: [false]
The polyfill says the same.
