--TEST--
TLS: a wait for more than one to leave, which ends in vain, keeps nobody out
--SKIPIF--
<?php require __DIR__ . '/../inc/tls.inc'; skip_unless_tls();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require_once __DIR__ . '/../inc/timing.inc';
$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
$redis('CONFIG', 'SET', 'hz', '1'); /* so that BLPOP ends late by itself */
$make = fn (bool $shared) => new RedisLock($tls->options(['name' => 'turnstile', 'shared' => $shared, 'timeout' => 5, 'read_timeout' => 5]));

/* Nobody has the turnstile afterwards, which would end by itself after 2 s. */
$opened = function () use ($redis, $make): bool {
	[$holder, $waiter] = [$make(false), $make(true)];
	$_ = $holder->acquire();
	$_ = $waiter->acquire(0.05);
	unset($waiter);
	$opened = $redis('EXISTS', '{turnstile}:rlk:turn') === 0;
	$holder->release();
	$redis('DEL', '{turnstile}:rlk:turn');
	return $opened;
};
/* A connection may take 15 ms to open by then, TLS included: a busy machine may need more. */
$often = 0;
for ($i = 0; $i < 10; $i++) {
	$often += (int) unless_stalled($opened, fn (bool $opened) => $opened);
}
var_dump($often > 6);
?>
--EXPECT--
bool(true)
