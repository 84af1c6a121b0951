--TEST--
What each call makes of each fault of a server: the right exception, in time, and never a lock that is not there
--EXTENSIONS--
redislock
posix
--FILE--
<?php
/* slow: each call meets each fault */
require __DIR__ . '/../inc/faults.inc';
$held = "EXPECT SET faults mine NX PX 60000\nSEND +OK\n";
$options = ['name' => 'faults', 'token' => 'mine'];
$state = fn (RedisLock $lock) => $lock->isHeld() ? ' held' : '';
foreach (array_keys(FAULTS) as $fault) {
	echo $fault, ': acquire ', fault($fault, '', $options, null, fn ($lock) => $lock->acquire(), $state);
	foreach (['keepAlive', 'isAcquired', 'release', 'holder', 'forceRelease'] as $method) {
		echo ", $method ", fault($fault, $held, $options, fn ($lock) => $lock->acquire(), fn ($lock) => $lock->$method(), $state);
	}
	echo "\n";
}
?>
--EXPECT--
silent: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
closed: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
half, then silent: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
half, then closed: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
one byte in a while: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
garbage: acquire C-, keepAlive C- held, isAcquired C- held, release C-, holder C- held, forceRelease C-
zeros: acquire C-, keepAlive C- held, isAcquired C- held, release C-, holder C- held, forceRelease C-
huge string: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
more than a number: acquire C-, keepAlive C- held, isAcquired C- held, release C-, holder C- held, forceRelease C-
huge array: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
endless line: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+, holder C+ held, forceRelease C+
NOSCRIPT: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
READONLY: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
LOADING: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
BUSY: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
MASTERDOWN: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
CLUSTERDOWN: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
TRYAGAIN: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
OOM: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
MISCONF: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
NOREPLICAS: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
NOAUTH: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
WRONGPASS: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
NOPERM: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
too many clients: acquire C+, keepAlive C+ held, isAcquired C+ held, release C+ held, holder C+ held, forceRelease C+ held
WRONGTYPE: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
unknown command: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
no words: acquire C-, keepAlive C- held, isAcquired C- held, release C- held, holder C- held, forceRelease C- held
