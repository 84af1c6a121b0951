--TEST--
RedLock: a forked copy neither extends nor frees what its parent has locked, however often it tries
--EXTENSIONS--
pcntl
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
$s = new Server;

foreach ([[], ['renew' => true]] as $options) {
	$red = new RedLock(addresses([$s]), 1, 1, $options);
	$first = $red->lock('forked_redlock:1', 60000);
	$second = $red->lock('forked_redlock:2', 60000);
	flush();
	if (pcntl_fork() === 0) {
		/* Of the second the copy has not spoken when it locks something of its own. */
		each_outcome([
			'unlock' => fn () => $red->unlock($first),
			'again' => fn () => $red->unlock($first),
			'extend' => fn () => $red->extend($first),
			'with ttl' => fn () => $red->extend($first, 60000),
			'lock' => fn () => is_array($red->lock('forked_redlock:own', 60000)),
			'unlock after it' => fn () => $red->unlock($second),
			'extend after it' => fn () => $red->extend($second, 60000),
		], fn ($call) => $call());
		flush();
		posix_kill(getmypid(), SIGKILL);
	}
	pcntl_wait($status);
	echo 'the parent: ', outcome(fn () => is_array($red->extend($first))), ' ', outcome(fn () => $red->unlock($first)), ' ',
		outcome(fn () => $red->unlock($second)), "\n";
	$s->client()('DEL', 'forked_redlock:own');
}
?>
--EXPECT--
unlock: false
again: false
extend: false
with ttl: false
lock: true
unlock after it: false
extend after it: false
the parent: true true true
unlock: false
again: false
extend: false
with ttl: false
lock: true
unlock after it: false
extend after it: false
the parent: true true true
