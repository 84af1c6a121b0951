--TEST--
One operation has one time limit, however many replies it takes; pages of holders end
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
require __DIR__ . '/../inc/timing.inc';

const LIMIT = 1.0; /* s, of which the first reply takes most */
const LATE = "DELAY 600\n";

/**
 * What a call says and how long it takes, after what was played before it. $heard: a reply that comes within the limit decides
 * what it says, unless the machine stands still so long.
 */
function limited(string $what, array $options, ?callable $before, string $script, callable $call, float $limit = LIMIT, bool $heard = false): void
{
	[$said, $began, $ended] = unless_stalled(function () use ($options, $before, $script, $call) {
		$server = new FakeServer($script, $port = Server::freePort());
		$lock = new RedisLock($options + ['host' => '127.0.0.1', 'port' => $port, 'name' => 'one_limit', 'read_timeout' => LIMIT]);
		if ($before !== null) {
			$before($lock);
		}
		$began = now();
		return [preg_replace('/ \(tcp.*/', '', outcome(fn () => $call($lock))), $began, now()];
	}, fn (array $tried) => !$heard || !str_contains($tried[0], 'did not answer in time'));
	expect_taken("$what: $said", $began, 0, $limit + 0.4, $ended);
}

$acquire = fn ($lock) => $lock->acquire();
$release = fn ($lock) => $lock->release();
$set = "EXPECT SET ...\nSEND +OK\n";
$try = "EXPECT EVALSHA ...\nSEND :1\n";
$zrem = "EXPECT ZREM ...\nEXPECT EXISTS ...\n" . LATE . "SEND :1\n";
foreach (['permits' => ['permits' => 3], 'shared' => ['shared' => true]] as $kind => $options) {
	limited("$kind, the second reply", $options, $acquire, $try . $zrem . 'SILENCE', $release, heard: true);
	limited("$kind, those who wait", $options, $acquire, $try . $zrem . "SEND :1\nEXPECT EVAL ...\nSILENCE", $release, heard: true);
}
limited('NOSCRIPT', [], $acquire, $set . "EXPECT EVALSHA ...\n" . LATE . "SEND -NOSCRIPT\nEXPECT EVAL ...\nSILENCE", $release);
limited('keys that wake', [], $acquire, $set . "EXPECT EVALSHA ...\n" . LATE . "SEND -NOPERM No permissions to access a key\nEXPECT EVALSHA ...\nSILENCE",
	$release);
limited('a command that is refused', [], fn ($lock) => $acquire($lock) && $release($lock) && $acquire($lock),
	$set . $try . "EXPECT COMMAND ...\nEXPECT SET ...\nSEND *1\\r\\n\$5\\r\\ndelex\nSEND +OK\n" .
	"EXPECT DELEX ...\nEXPECT EXISTS ...\n" . LATE . "SEND -ERR unknown command 'delex'\nSEND :0\nEXPECT EVALSHA ...\nSILENCE", $release);
limited('a shorter ttl', [], $acquire, $set . "EXPECT EVALSHA ...\n" . LATE . "SEND :2\nEXPECT EVALSHA ...\nSILENCE", fn ($lock) => $lock->keepAlive());
limited('by force', [], null, "EXPECT EVALSHA ...\n" . LATE . "SEND :-1\nEXPECT EVALSHA ...\nSILENCE", fn ($lock) => $lock->forceRelease());
limited('no lock', ['permits' => 3], null, "EXPECT EVALSHA ...\n" . LATE . "SEND -NOLOCK\nEXPECT TYPE ...\nSILENCE", $acquire, heard: true);

/* A wait that is sent to the turnstile. */
limited('the turnstile', ['shared' => true, 'read_timeout' => 2], null,
	"EXPECT EVALSHA ...\nSEND :0\nEXPECT EVALSHA ...\nSEND *4\\r\\n:0\\r\\n:-1\\r\\n:2\\r\\n:0\nEXPECT EVALSHA ...\nSILENCE",
	fn ($lock) => $lock->acquire(0.2), 0.2, heard: true);

/* Pages that say that there are more, each time the same, or with a higher number. */
$page = fn (int $next) => "EXPECT EVALSHA ...\nSEND *3\\r\\n:0\\r\\n:$next\\r\\n\$9\\r\\n9 1 3 abc\n";
$endless = implode(array_map(fn ($i) => $page($i) . "DELAY 20\n", range(1, 100)));
$some = "EXPECT EVALSHA ...\nSEND *3\\r\\n\$0\\r\\n\\r\\n:9\\r\\n:0\n";
limited('holders(), the same page', [], null, $page(7) . $page(7) . $page(7) . 'SILENCE', fn ($lock) => count($lock->holders()), heard: true);
limited('holders(), pages without end', [], null, $endless, fn ($lock) => count($lock->holders()));
limited('holder(), of many', [], null, $some . $page(1) . 'SILENCE', fn ($lock) => $lock->holder()['token'], heard: true);
?>
--EXPECT--
permits, the second reply: true: ok
permits, those who wait: true: ok
shared, the second reply: true: ok
shared, those who wait: true: ok
NOSCRIPT: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
keys that wake: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
a command that is refused: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
a shorter ttl: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
by force: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
no lock: RedisLock\Exception: lock "one_limit": the key holds something else than a string, not a lock: ok
the turnstile: false: ok
holders(), the same page: RedisLock\ConnectionException: lock "one_limit": the server sent a reply that does not fit the request: ok
holders(), pages without end: RedisLock\ConnectionException: lock "one_limit": the server did not answer in time: ok
holder(), of many: 'abc': ok
