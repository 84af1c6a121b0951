--TEST--
RedisLock: a signal that comes during a call is handled before the exception that ends it
--EXTENSIONS--
redislock
posix
pcntl
--FILE--
<?php
require __DIR__ . '/../inc/fake_server.inc';
pcntl_async_signals(true);
pcntl_signal(SIGTERM, function () use (&$handler) {
	$handler();
});
/* The requests of a call get no answers, but a signal comes. */
$silent = "EXPECT ...\nSIGNAL 15\nGONE\nCLOSE";
/* Three names of one server; it is known to be too few only once the signal has come. */
$round = "EXPECT ...\nNEXT\nEXPECT ...\nNEXT\n$silent";
$held = "EXPECT SET ...\nSEND +OK\n$silent";
$options = fn (FakeServer $server) => $server->options(['name' => 'signals_before_exception', 'ttl' => 2]); /* for so long a renewal child looks for the server */
$lock = fn (FakeServer $server) => new RedisLock($options($server));
$acquired = function (FakeServer $server) use ($lock) {
	$acquired = $lock($server);
	$_ = $acquired->acquire();
	return $acquired;
};
$quorum = function (FakeServer $server) {
	foreach ([1, 2, 3] as $number) {
		symlink($server->socket, $servers[] = "$server->socket.$number");
	}
	register_shutdown_function(fn () => array_map(unlink(...), $servers));
	return new RedisLock\RedLock(array_map(fn (string $name) => ['unix_socket' => $name], $servers), 0, 1);
};
$made = fn () => ['resource' => 'signals_before_exception', 'token' => 'token', 'validity' => 1000];
$calls = [
	'acquire' => [$silent, fn ($server) => $lock($server)->acquire()],
	'acquire with a wait' => [$silent, fn ($server) => $lock($server)->acquire(60)],
	'lock' => [$silent, fn ($server) => $lock($server)->lock('signals_before_exception:lock')],
	'keepAlive' => [$held, fn ($server) => $acquired($server)->keepAlive()],
	'isAcquired' => [$held, fn ($server) => $acquired($server)->isAcquired()],
	'holder' => [$silent, fn ($server) => $lock($server)->holder()],
	'holders' => [$silent, fn ($server) => $lock($server)->holders()],
	'release' => [$held, fn ($server) => $acquired($server)->release()],
	'forceRelease' => [$silent, fn ($server) => $lock($server)->forceRelease()],
	'execute' => [$silent, fn ($server) => SequenceTask::execute($options($server), fn () => null)],
	'execute, at its end' => [$held, fn ($server) => SequenceTask::execute($options($server), fn () => throw new LogicException('of the task'))],
	'synchronized' => [$silent, fn ($server) => $lock($server)->synchronized(fn () => null)],
	'RedLock::lock' => [$round, fn ($server) => $quorum($server)->lock('signals_before_exception', 1000)],
	'RedLock::extend' => [$round, fn ($server) => $quorum($server)->extend($made(), 1000)],
	'RedLock::extend without a ttl' => [$round, fn ($server) => $quorum($server)->extend($made())],
	'RedLock::unlock' => [$round, fn ($server) => $quorum($server)->unlock($made())],
];
$attempt = function (string $call) use ($calls): array {
	$server = new FakeServer($calls[$call][0]);
	try {
		$calls[$call][1]($server);
		$chain = ['nothing thrown'];
	} catch (Exception $e) {
		for ($chain = []; $e !== null; $e = $e->getPrevious()) {
			$chain[] = $e::class;
		}
	}
	return [implode(' <- ', $chain), ...$server->verdict() === "played\n" ? [] : ['not played']];
};
foreach (array_keys($calls) as $call) {
	$handled = 0;
	$handler = function () use (&$handled) {
		$handled++;
	};
	step($call, ...$attempt($call), ...[$handled]);
}
$handler = fn () => throw new DomainException('of the handler');
foreach (['keepAlive', 'execute', 'execute, at its end'] as $call) {
	step("$call, the handler throws", ...$attempt($call));
}
$handler = fn () => exit("exit\n");
$attempt('keepAlive');
echo "not reached\n";
?>
--EXPECT--
acquire: 'RedisLock\\ConnectionException', 1
acquire with a wait: 'RedisLock\\ConnectionException', 1
lock: 'RedisLock\\ConnectionException', 1
keepAlive: 'RedisLock\\ConnectionException', 1
isAcquired: 'RedisLock\\ConnectionException', 1
holder: 'RedisLock\\ConnectionException', 1
holders: 'RedisLock\\ConnectionException', 1
release: 'RedisLock\\ConnectionException', 1
forceRelease: 'RedisLock\\ConnectionException', 1
execute: 'RedisLock\\ConnectionException', 1
execute, at its end: 'LogicException <- RedisLock\\ConnectionException', 1
synchronized: 'RedisLock\\ConnectionException', 1
RedLock::lock: 'RedisLock\\ConnectionException', 1
RedLock::extend: 'RedisLock\\ConnectionException', 1
RedLock::extend without a ttl: 'RedisLock\\ConnectionException', 1
RedLock::unlock: 'RedisLock\\ConnectionException', 1
keepAlive, the handler throws: 'DomainException <- RedisLock\\ConnectionException'
execute, the handler throws: 'DomainException <- RedisLock\\ConnectionException'
execute, at its end, the handler throws: 'DomainException <- LogicException <- RedisLock\\ConnectionException'
exit
