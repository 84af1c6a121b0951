--TEST--
What is no answer to the request is no yes and no no: QUEUED of a connection left amid MULTI, the answer to another command
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';

/** What a call says when the server answers as $script says, with its last answer $reply; then it swallows all. */
function answered(string $script, string $reply, array $options, callable $call): string
{
	$server = new FakeServer("$script\nSEND $reply\nSILENCE");
	$lock = new RedisLock($server->options($options + ['name' => 'misfit_acquire']));
	$said = outcome(fn () => $call($lock));
	return $said . ($lock->isHeld() ? ', held' : '');
}

/** One line for each script, with the replies that were taken for one. */
function misfits(string $what, string $script, array $replies, callable $call, array $options = []): void
{
	$misfit = 'RedisLock\ConnectionException: lock "misfit_acquire": the server sent a reply that does not fit the request';
	foreach ($replies as $reply) {
		$said = answered($script, $reply, $options, $call);
		if (!str_starts_with($said, $misfit)) {
			echo "$what, $reply: $said\n";
		}
	}
	echo $what, ', ', count($replies), " replies\n";
}

$words = ['+QUEUED', '+PONG', '*1\r\n:1'];
$acquire = fn ($lock) => $lock->acquire();
$wait = fn ($lock) => $lock->acquire(5);

/* A try. */
$permits = ['permits' => 3];
$weight = ['permits' => 3, 'weight' => 2];
$shared = ['shared' => true];
$fence = ['fence' => true];
misfits('SET', 'EXPECT SET ...', [...$words, ':0', ':1', ':-3'], $acquire);
foreach (['permits' => $permits, 'weight' => $weight, 'shared' => $shared] as $kind => $options) {
	misfits("try, $kind", 'EXPECT EVALSHA ...', [...$words, '+OK', '$-1', ':7', ':-1', ':-3'], $acquire, $options);
}
misfits('try, fence', 'EXPECT EVALSHA ...', [...$words, '+OK', '$-1', ':-1', ':-3'], $acquire, $fence);

/* A waiter lines up, */
$no = ["EXPECT SET ...\nSEND $-1", "EXPECT EVALSHA ...\nSEND :0"];
$arrays = ['*4\r\n+OK\r\n:1\r\n:1\r\n:1', '*4\r\n:7\r\n:0\r\n:0\r\n:0', '*4\r\n:-1\r\n:0\r\n:0\r\n:0', '*4\r\n:0\r\n+a\r\n:1\r\n:1',
	'*4\r\n:0\r\n:1\r\n:3\r\n:1', '*4\r\n:0\r\n:1\r\n:1\r\n:-1', '*4\r\n:0\r\n:1\r\n:1\r\n$-1', '*3\r\n:0\r\n:1\r\n:1'];
misfits('join', "$no[0]\nEXPECT EVALSHA ...", [...$words, '+OK', ':1', '$-1', ...$arrays], $wait);
misfits('join, permits', "$no[1]\nEXPECT EVALSHA ...", [...$words, '+OK', ':1', '$-1', ...$arrays], $wait, $permits);

/* blocks, */
$joined = "EXPECT EVALSHA ...\nSEND *4\\r\\n:0\\r\\n:60000\\r\\n:1\\r\\n:60000\nEXPECT BLPOP ...";
misfits('BLPOP', "$no[0]\n$joined\nEXPECT SET ...", [...$words, '+OK', ':0', ':1'], $wait);

/* is woken, and takes. */
$popped = 'SEND *2\r\n$1\r\na\r\n$1\r\n1';
misfits('woken', "$no[0]\n$joined\nEXPECT SET ...\n$popped", [...$words, ':0', ':1', ':-3'], $wait);
misfits('woken, permits', "$no[1]\n$joined\nEXPECT EVAL ...\n$popped", [...$words, '+OK', '$-1', ':7', ':-1', ':-3'], $wait, $permits);
misfits('woken, fence', "$no[1]\n$joined\nEXPECT EVAL ...\n$popped", [...$words, '+OK', '$-1', ':-1', ':-3'], $wait, $fence);

/* What is asked about a lock that is held. */
$yes = ["EXPECT SET ...\nSEND +OK\nEXPECT ...", "EXPECT EVALSHA ...\nSEND :1\nEXPECT ..."];
$numbers = [':3', ':7', ':-1', ':-3'];
misfits('keepAlive', $yes[0], [...$words, ...$numbers], fn ($lock) => $lock->acquire() && $lock->keepAlive());
misfits('isAcquired', $yes[0], [...$words, ':-3'], fn ($lock) => $lock->acquire() && $lock->isAcquired());
misfits('release', $yes[0], [...$words, ...$numbers], fn ($lock) => $lock->acquire() && $lock->release());
misfits('release, permits', $yes[1], [...$words, ...$numbers], fn ($lock) => $lock->acquire() && $lock->release(), $permits);
misfits('forceRelease', $yes[0], [...$words, ':2', ':-3'], fn ($lock) => $lock->acquire() && $lock->forceRelease('other'));
misfits('upgrade', $yes[1], [...$words, '+OK', ':7', ':-1', ':-3'], fn ($lock) => $lock->acquire() && $lock->upgrade(), $shared);
misfits('downgrade', "$yes[1]\nSEND :1\nEXPECT ...", [...$words, '+OK', ':7', ':-1'],
	fn ($lock) => $lock->acquire() && $lock->upgrade() && $lock->downgrade(), $shared);

/* The handshake: requests would run in another database. */
misfits('SELECT', 'EXPECT SELECT 7', [...$words, ':1', '$-1'], $acquire, ['database' => 7]);

/* Of several servers, too, the connection is given up: what is sent next might be queued behind the same MULTI. */
$servers = array_map(fn ($script) => new FakeServer("EXPECT SET ...\n$script"),
	[$queued = "SEND +QUEUED\nEXPECT EVAL ...\nEXPECT-CLOSE\nACCEPT", $queued, 'SILENCE']);
$lock = new RedisLock(['servers' => array_map(fn ($server) => $server->options(['timeout' => 5, 'read_timeout' => 5]), $servers),
	'name' => 'misfit_acquire']);
echo preg_replace('/ \(unix.*/', '', preg_replace('/\d of 3/', 'some', outcome(fn () => $lock->acquire()))), "\n";
$_ = outcome(fn () => $lock->acquire()); /* over new connections, which the script closes */
unset($lock);
foreach ($servers as $server) {
	echo $server->verdict();
}
?>
--EXPECT--
SET, 6 replies
try, permits, 8 replies
try, weight, 8 replies
try, shared, 8 replies
try, fence, 7 replies
join, 14 replies
join, permits, 14 replies
BLPOP, 6 replies
woken, 6 replies
woken, permits, 8 replies
woken, fence, 7 replies
keepAlive, 7 replies
isAcquired, 4 replies
release, 7 replies
release, permits, 7 replies
forceRelease, 5 replies
upgrade, 7 replies
downgrade, 6 replies
SELECT, 5 replies
RedisLock\ConnectionException: lock "misfit_acquire": no majority of the servers, some failed: the server sent a reply that does not fit the request
played
played
played
