--TEST--
Compare commands of the server: used from the second lock of a connection on, a waiter is woken all the same
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/translator.inc';
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
foreach (['delex', 'delifeq'] as $native) {
	echo "-- $native\n";
	$translator = new Translator($server, $native, slow: 'eval');
	$lock = new RedisLock($translator->options(['name' => 'release', 'ttl' => 5]));
	$hide = function (array $commands) use ($lock, &$token) {
		foreach ($commands as $command) {
			echo strtr(preg_replace('/[0-9a-f]{40}/', 'SHA', $command), [(string) $token => 'TOKEN']), "\n";
		}
	};
	$cycle = function () use ($lock, &$token) {
		$_ = $lock->acquire();
		$token = $lock->getToken();
		return $lock->release();
	};
	/* A connection used once is not asked about; the second time the question goes along. */
	var_dump($cycle());
	$hide($translator->commands('EVAL'));
	var_dump($cycle());
	$hide($translator->commands());
	/* Not ours: nothing deleted. */
	$_ = $lock->acquire();
	$token = $lock->getToken();
	$redis('SET', 'release', 'other');
	var_dump($lock->release(), $redis('GET', 'release'));
	$redis('DEL', 'release');
	$_ = $lock->acquire();
	$redis('DEL', 'release');
	$redis('ZADD', 'release', 1, 'a');
	var_dump($lock->release(), $redis('DEL', 'release'));
	/* Extended by script, which cannot shorten; 0 drops the expiry. */
	$_ = $lock->acquire();
	var_dump($lock->keepAlive(20), $redis('PTTL', 'release') > 19000, $lock->keepAlive(0), $redis('PTTL', 'release'));
	$redis('SET', 'release', 'other');
	var_dump($lock->keepAlive(20), $redis('GET', 'release'));
	$redis('DEL', 'release');
	/* Somebody began to wait after we had acquired: they are woken at once, by a script. What release() does not wait for may
	 * be read by the server together with the next acquire(), which would go ahead of who was woken. */
	$_ = $lock->acquire();
	$token = $lock->getToken();
	no_checks($redis, 'release');
	$waiter = new Php('
		$lock = new RedisLock(["unix_socket" => $argv[1], "name" => "release", "ttl" => 5]);
		var_dump($lock->acquire(10));
		echo hrtime(true), "\n";
		fgets(STDIN);
		var_dump($lock->release());', [$server->socket]);
	wait_until(fn () => str_contains($redis('CLIENT', 'LIST'), 'cmd=blpop'));
	$translator->commands();
	$lock->release();
	$released = hrtime(true);
	$hide(preg_replace('/^EVAL .*/', 'EVAL ...', $translator->commands()));
	echo $waiter->line(), "\n";
	expect_between('woken', ((int) $waiter->line() - $released) / 1e9, -1, WOKEN);
	$waiter->tell('go on');
	echo $waiter->line(), "\n";
	$waiter->end();
	/* While the waiters key may still be there the script is used, which wakes in the same step. */
	$cycle();
	$hide($translator->commands('SET'));
	$redis('FLUSHALL');
	unset($lock, $cycle, $hide);
}
?>
--EXPECT--
-- delex
bool(true)
SET release TOKEN NX PX 5000
EVALSHA SHA 3 release {release}:rlk:waiters {release}:rlk:signal TOKEN
bool(true)
COMMAND LIST FILTERBY PATTERN del*
SET release TOKEN NX PX 5000
DELEX release IFEQ TOKEN
EXISTS {release}:rlk:waiters
bool(false)
string(5) "other"
bool(false)
int(1)
bool(true)
bool(true)
bool(true)
int(-1)
bool(false)
string(5) "other"
DELEX release IFEQ TOKEN
EXISTS {release}:rlk:waiters
EVAL ...
bool(true)
woken: ok
bool(true)
EVALSHA SHA 3 release {release}:rlk:waiters {release}:rlk:signal TOKEN
-- delifeq
bool(true)
SET release TOKEN NX PX 5000
EVALSHA SHA 3 release {release}:rlk:waiters {release}:rlk:signal TOKEN
bool(true)
COMMAND LIST FILTERBY PATTERN del*
SET release TOKEN NX PX 5000
DELIFEQ release TOKEN
EXISTS {release}:rlk:waiters
bool(false)
string(5) "other"
bool(false)
int(1)
bool(true)
bool(true)
bool(true)
int(-1)
bool(false)
string(5) "other"
DELIFEQ release TOKEN
EXISTS {release}:rlk:waiters
EVAL ...
bool(true)
woken: ok
bool(true)
EVALSHA SHA 3 release {release}:rlk:waiters {release}:rlk:signal TOKEN
