--TEST--
The polyfill: a connection that breaks before, amid or behind a reply; a server that is away, refuses, or hangs amid a wait; a user with few rights
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/side.inc';
require __DIR__ . '/../inc/fake_server.inc';
$begin = '$lock = new RedisLock(unserialize(base64_decode($argv[1])) + ["name" => "polyfill_faults"]);';
$side = fn (array $options) => new Side('polyfill', base64_encode(serialize($options)), $begin);
$bare = fn (mixed $said) => preg_replace('~ \((unix|tcp):.*~', '', $said);
$step = fn (string $name, mixed ...$said) => print "$name: " . json_encode($said) . "\n";

/* A number of which the end is missing would be another number. */
foreach (['nothing' => '', 'half a status' => '+O', 'half a number' => ':1', 'no number' => ':1\r', 'half a string' => '$3\r\nab'] as $what => $half) {
	$server = new FakeServer(strtr(<<<'SCRIPT'
		EXPECT SET polyfill_faults * NX PX 60000
		HALF
		CLOSE
		EXPECT EVAL * 3 polyfill_faults {polyfill_faults}:rlk:waiters {polyfill_faults}:rlk:signal *
		SEND :0
		SAY answered
		EXPECT SET polyfill_faults * NX PX 60000
		SEND +OK
		EXPECT-CLOSE
		SCRIPT, ['HALF' => "SENDRAW $half"]));
	$a = $side($server->options(['read_timeout' => 20]));
	echo "$what: ", $bare($a->do('$lock->acquire()')), ' ';
	/* Else the connection of the release is not used again. */
	$server->await('answered');
	echo json_encode($a->do('[$lock->isHeld(), $lock->acquire()]')), "\n";
	unset($a);
	echo $server->verdict();
}

$server = new Server(true);
$redis = $server->client();

/* It ends before the server has answered. */
$acquire = 'try { $lock->acquire(); } catch (RedisLock\ConnectionException) { echo hrtime(true), "\n"; }';
$ways = ['ends too early' => $acquire, 'in a shutdown function' =>
	"(new RedisLock(['persistent' => true] + unserialize(base64_decode(\$argv[2]))))->holder(); register_shutdown_function(function () use (\$lock) { $acquire });"];
foreach ($ways as $way => $code) {
	echo "$way: ", ends_before_answer('polyfill_faults', function (FakeServer $fake) use ($begin, $code, $server) {
		$options = array_map(fn ($options) => base64_encode(serialize($options)), [$fake->options(['read_timeout' => 0.1]), $server->options(['name' => 'other'])]);
		return new Php($begin . $code, $options, polyfill: true);
	});
}
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults * NX PX 60000
	SEND +FOO
	EXPECT EVAL ...
	EXPECT-CLOSE
	SCRIPT);
$a = $side($fake->options());
echo $bare($a->do('$lock->acquire()')), "\n";
unset($a);
echo $fake->verdict();
foreach (['holder' => ':5', 'holders' => '*3\r\n:0\r\n:0\r\n:0', 'release' => '+QUEUED', 'keepAlive' => '+QUEUED', 'isAcquired' => '*0', 'forceRelease' => '+OK'] as $method => $answer) {
	$fake = new FakeServer(<<<SCRIPT
		EXPECT SET polyfill_faults * NX PX 60000
		SEND +OK
		EXPECT EVALSHA ...
		SEND $answer
		EXPECT-CLOSE
		SCRIPT);
	$a = $side($fake->options());
	$step($method, $a->do('$lock->acquire()'), $bare($a->do("\$lock->$method()")), $a->do('$lock->isHeld()'));
	unset($a);
	echo $fake->verdict();
}

/* It is free, and nothing answers the request that wakes. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 3 polyfill_faults ...
	SEND :2
	EXPECT EVALSHA ...
	SILENCE
	SCRIPT);
$a = $side($fake->options(['read_timeout' => 1]));
$step('woken in vain', $a->do('[$lock->acquire(), $lock->release(), $lock->isHeld(), RedisLock\stats()["released"]]'));
unset($a);
echo $fake->verdict();

/* It is to have no expiry, and nothing answers that. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults mine NX PX 3000
	SEND +OK
	EXPECT EVALSHA * 1 polyfill_faults mine 0
	EXPECT-CLOSE
	EXPECT EVAL * 3 polyfill_faults {polyfill_faults}:rlk:waiters {polyfill_faults}:rlk:signal
	EXPECT-CLOSE
	SCRIPT);
$a = $side($fake->options(['read_timeout' => 1, 'ttl' => 0, 'token' => 'mine']));
$step('not without expiry', $bare($a->do('$lock->acquire()')), $a->do('[$lock->isHeld(), RedisLock\stats()["lost"]]'), preg_replace('/ for .*/', '', $a->do('$lock->acquire()')));
unset($a);
echo $fake->verdict();

/* What a waiter has got is gone before acquire() returns: it goes on, and nothing is lost. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults * NX PX 60000
	SEND $-1
	EXPECT EVALSHA ...
	SEND *4\r\n:1\r\n:-2\r\n:0\r\n:0
	EXPECT EVALSHA * 1 polyfill_faults * 60000
	SEND :0
	EXPECT EVALSHA ...
	SEND *4\r\n:1\r\n:-2\r\n:0\r\n:0
	EXPECT EVALSHA * 1 polyfill_faults * 60000
	SEND :1
	EXPECT-CLOSE
	SCRIPT);
$a = $side($fake->options());
$step('gone amid a wait', $a->do('[$lock->acquire(30), $lock->isHeld(), RedisLock\stats()["lost"], RedisLock\stats()["acquired"]]'));
unset($a);
echo $fake->verdict();

/* A check that is due just before the end of a wait: its connection does not outlast that, at least once when the machine does not stand still. */
for ($round = 1, $over = 1.0; $round <= 5 && $over > 0.02; $round++) {
	$fake = new FakeServer(<<<'SCRIPT'
		EXPECT SELECT 1
		SEND +OK
		EXPECT SET polyfill_faults * NX PX 60000
		SEND $-1
		EXPECT EVALSHA ...
		SEND *4\r\n:0\r\n:60000\r\n:1\r\n:930
		SILENCE
		SCRIPT);
	$a = $side($fake->options(['database' => 1]));
	[$from, $got, $to] = $a->do('[hrtime(true), $lock->acquire(1), hrtime(true)]');
	$over = min($over, ($to - $from) / 1e9 - 1);
	unset($a, $fake);
}
$step('checked at the end', $got, $over > 0.02 ? $over : 'in time');

/* A request whose connection breaks may be executed behind its repetition, and though that cannot be sent. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults * NX PX 60000
	SEND +OK
	EXPECT EVALSHA * 3 polyfill_faults * * * 1000
	CLOSE
	EXPECT EVALSHA * 3 polyfill_faults * * * 1000
	SEND :1
	EXPECT EVALSHA * 1 polyfill_faults * 60000
	SEND :1
	EXPECT EVALSHA * 3 polyfill_faults ...
	GONE
	CLOSE
	SCRIPT);
$a = $side($fake->options());
$step('shortened twice', $a->do('[$lock->acquire(), $lock->keepAlive(1), $lock->keepAlive(60), $lock->remaining() <= 1]'));
$step('released', $bare($a->do('$lock->release()')), $a->do('$lock->isHeld()'));
unset($a);
echo $fake->verdict();

/* Nor does a second downgrade() undo that the first may be executed. */
$fake = new FakeServer(<<<'SCRIPT'
	EXPECT SET polyfill_faults * NX PX 60000
	SEND +OK
	EXPECT EVALSHA ...
	NEXT
	EXPECT EVALSHA ...
	SEND :1
	SILENCE
	SCRIPT);
$a = $side($fake->options(['read_timeout' => 2]));
$step('shared twice', $a->do('$lock->acquire()'), $bare($a->do('$lock->downgrade()')), $a->do('$lock->downgrade()'), $bare($a->do('$lock->upgrade()')));
unset($a, $fake);

$lock = new RedisLock($server->options(['name' => 'polyfill_faults']));
$a = $side($server->options());
$step('closed while idle', $a->do('$lock->acquire()'), $redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') > 0, $a->do('[$lock->isAcquired(), $lock->release()]'),
	$redis('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes') > 0, $a->do('$lock->acquire()'), $a->do('$lock->release()'));
$step('cut amid a wait', $lock->acquire());
$a->begin('$lock->acquire(30)');
await_queue($redis, 1);
preg_match('/^id=(\d+) .* cmd=blpop /m', $redis('CLIENT', 'LIST'), $m);
$redis('CLIENT', 'KILL', 'ID', $m[1]);
wait_until(fn () => preg_match('/^id=(\d+) .* cmd=blpop /m', $redis('CLIENT', 'LIST'), $new) && $new[1] !== $m[1]);
$freed = now();
$step('and woken', $lock->release(), $a->end(), taken($freed) < WOKEN, $a->do('$lock->release()'));

preg_match('/^    (ACL SETUSER lock .*)$/m', file_get_contents(__DIR__ . '/../../docs/operate/operations.md'), $rule);
$redis(...explode(' ', server_is_before('6.2') ? str_replace('+copy', '+ltrim', $rule[1]) : $rule[1]));
$b = $side($server->options(['auth' => ['lock', 'password'], 'prefix' => 'app:', 'fence' => true]));
$own = new RedisLock($server->options(['prefix' => 'app:', 'name' => 'polyfill_faults']));
$step('few rights', $b->do('[$lock->acquire(), $lock->keepAlive(), $lock->keepAlive(5), $lock->isAcquired(), $lock->holder()["waited"], $lock->release()]') === [true, true, true, true, false, true],
	$own->acquire());
$b->begin('$lock->acquire(30)');
await_queue($redis, 1);
$step('they wait', $own->release(), $b->end(), $b->do('[$lock->getFence(), $lock->forceRelease()]'), $redis('ACL', 'LOG'));
$step('they keep what they may not share', $b->do('$lock->acquire()'), str_starts_with($b->do('$lock->downgrade()'), RedisLock\ConnectionException::class), $b->do('[$lock->upgrade(), $lock->keepAlive(), $lock->release()]'), $redis('EXISTS', 'app:polyfill_faults'));

/* A user of the lock key alone: what nobody awaits is released, too. */
$redis('ACL', 'SETUSER', 'few', 'on', '>password', '~polyfill_faults', '+@all');
$few = $side($server->options(['auth' => ['few', 'password'], 'read_timeout' => 1]));
$step('with one key', $few->do('[$lock->acquire(), $lock->release()]'));
/* One that does not know it yet, with a connection. */
$few->do('[$lock = new RedisLock(["name" => "polyfill_faults"] + unserialize(base64_decode($argv[1]))), $lock->lock("refused")]');
$redis('CONFIG', 'RESETSTAT');
$server->freeze();
$few->begin('$lock->acquire()');
$step('not answered', $bare($few->end()));
$server->thaw();
wait_until(fn () => str_contains($redis('INFO', 'commandstats'), 'cmdstat_set:'));
$step('and released', comes_true(fn () => $redis('EXISTS', 'polyfill_faults') === 0, 5));

/* It stands still amid the wait: our clock ends that. */
$lock->acquire() || throw new Error('not acquired');
$a->begin('[hrtime(true), $lock->acquire(1), hrtime(true)]');
await_queue($redis, 1);
$server->freeze();
[$from, $got, $to] = $a->end();
$step('frozen amid a wait', $got, taken($from / 1e9, $to / 1e9) < 1.5);
$server->thaw();
wait_until(fn () => str_contains($redis('INFO', 'clients'), "blocked_clients:0\r"));
$step('and later', $lock->release(), $a->do('$lock->acquire()'), $a->do('$lock->release()'), $redis('EXISTS', 'polyfill_faults'));
echo $bare($side(['host' => '127.0.0.1', 'port' => 1])->do('$lock->acquire()')), "\n", $bare($side($server->options(['password' => 'wr0ng']))->do('$lock->acquire()')), "\n";
$full = new FakeServer("EXPECT AUTH right\nSEND -ERR max number of clients reached\nCLOSE");
echo $bare($side($full->options(['password' => 'right']))->do('$lock->acquire()')), "\n";
?>
--EXPECT--
nothing: RedisLock\ConnectionException: lock "polyfill_faults": the server closed the connection [false,true]
played
half a status: RedisLock\ConnectionException: lock "polyfill_faults": the server closed the connection [false,true]
played
half a number: RedisLock\ConnectionException: lock "polyfill_faults": the server closed the connection [false,true]
played
no number: RedisLock\ConnectionException: lock "polyfill_faults": the server closed the connection [false,true]
played
half a string: RedisLock\ConnectionException: lock "polyfill_faults": the server closed the connection [false,true]
played
ends too early: played
in a shutdown function: played
RedisLock\ConnectionException: lock "polyfill_faults": the server sent a reply that does not fit the request
played
holder: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",true]
played
holders: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",true]
played
release: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",false]
played
keepAlive: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",true]
played
isAcquired: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",true]
played
forceRelease: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server sent a reply that does not fit the request",false]
played
woken in vain: [[true,true,false,1]]
played
not without expiry: ["RedisLock\\ConnectionException: lock \"polyfill_faults\": the server did not answer in time",[false,0],"RedisLock\\ConnectionException: lock \"polyfill_faults\": the token is spent"]
played
gone amid a wait: [[true,true,0,1]]
played
checked at the end: [false,"in time"]
shortened twice: [[true,true,true,true]]
released: ["RedisLock\\ConnectionException: lock \"polyfill_faults\": cannot connect: Connection refused",false]
played
shared twice: [true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": the server did not answer in time",true,"RedisLock\\ConnectionException: lock \"polyfill_faults\": a downgrade() was not answered, and may still be executed: release the lock, and acquire it anew"]
closed while idle: [true,true,[true,true],true,true,true]
cut amid a wait: [true]
and woken: [true,true,true,true]
few rights: [true,true]
they wait: [true,true,[2,true],[]]
they keep what they may not share: [true,true,[true,true,true],0]
with one key: [[true,true]]
not answered: ["RedisLock\\ConnectionException: lock \"polyfill_faults\": the server did not answer in time"]
and released: [true]
frozen amid a wait: [false,true]
and later: [true,true,true,0]
RedisLock\ConnectionException: lock "polyfill_faults": cannot connect: Connection refused
RedisLock\ConnectionException: lock "polyfill_faults": the server refused the credentials: ERR AUTH <password> called without any password configured for the default user
RedisLock\ConnectionException: lock "polyfill_faults": the server answered: ERR max number of clients reached
