--TEST--
The polyfill: what a signal handler interrupts may be executed all the same
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/side.inc';
require __DIR__ . '/../inc/fake_server.inc';
$begin = <<<'CODE'
	pcntl_async_signals(true);
	pcntl_signal(SIGUSR1, fn () => throw new DomainException('enough'));
	pcntl_signal(SIGUSR2, function () use (&$lock) {
		echo json_encode($lock->holder()['label']), "\n";
	});
	$lock = new RedisLock(unserialize(base64_decode($argv[1])) + ['name' => 'polyfill_interrupted', 'read_timeout' => 60]);
	CODE;
$side = fn (array $options) => new Side('polyfill', base64_encode(serialize($options)), $begin);

/* The handler throws while the answer is awaited. */
foreach (['release()' => [], 'keepAlive(0.01)' => [], 'forceRelease()' => [], 'release() with a token' => ['token' => 'mine']] as $call => $options) {
	$fake = new FakeServer(<<<'SCRIPT'
		EXPECT SET polyfill_interrupted * NX PX 60000
		SEND +OK
		EXPECT EVALSHA ...
		SAY asked
		SILENCE
		SCRIPT);
	$a = $side($fake->options($options));
	$method = strtok($call, ' ');
	echo "$call: ", json_encode($a->do('$lock->acquire()'));
	$a->begin("\$lock->$method");
	$fake->await('asked');
	$a->php->signal(SIGUSR1);
	echo ', ', $a->end(), ', ';
	$method === 'keepAlive(0.01)' && pause(0.01, 'that ttl is over');
	echo json_encode($a->do('$lock->isHeld()')), $options === [] ? '' : preg_replace('/ for .*/', '', strstr($a->do('$lock->acquire()'), ': the')), "\n";
	unset($a);
	echo $fake->verdict();
}

/* A handler asks amid a wait, and then one ends it: what is released behind the wait goes over its own connection. */
$server = new Server;
$redis = $server->client();
$first = new RedisLock($server->options(['name' => 'polyfill_interrupted', 'label' => 'first']));
$a = $side($server->options());
echo 'amid a wait: ', json_encode($first->acquire());
$a->begin('$lock->acquire(30)');
await_queue($redis, 1);
$a->php->signal(SIGUSR2);
echo ', ', $a->end();
$a->php->signal(SIGUSR1);
echo ', ', $a->end(), ', ', json_encode($first->release());
wait_until(fn () => str_contains($redis('INFO', 'clients'), "blocked_clients:0\r"));
echo ', ', $redis('EXISTS', 'polyfill_interrupted'), "\n";
?>
--EXPECT--
release(): true, DomainException: enough, false
played
keepAlive(0.01): true, DomainException: enough, false
played
forceRelease(): true, DomainException: enough, false
played
release() with a token: true, DomainException: enough, false: the token is spent
played
amid a wait: true, first, DomainException: enough, true, 0
