--TEST--
acquire() returns in time where nobody has answered it at all, and where it has to poll
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$patience = ['timeout' => 30.0, 'read_timeout' => 30.0, 'name' => 'silent'];
$server = new Server();
$redis = $server->client();
$releases = fn () => preg_match('/cmdstat_eval:calls=(\d+)/', $redis('INFO', 'commandstats'), $m) ? (int) $m[1] : 0;
$connections = fn () => substr_count($redis('CLIENT', 'LIST'), 'name=silent');

/** Three times. */
function wait_each(string $case, RedisLock $lock, callable $before, callable $after, float $wait = 0.3): void
{
	$times = $answers = [];
	for ($i = 0; $i < 3; $i++) {
		$before();
		$start = now();
		try {
			$answers[] = json_encode($lock->acquire($wait));
		} catch (RedisLock\ConnectionException $e) {
			$answers[] = in_words_of_glibc(strtok($e->getMessage(), '(')) . json_encode($e->isRetryable());
		}
		$times[] = taken($start, null, $wait - 0.001);
		$after();
	}
	expect_between("$case: " . implode(', ', array_unique($answers)), max($times), $wait - 0.001, $wait + 0.05);
}

/* Its answer is read later, and what it did is undone. */
$lock = new RedisLock($server->options($patience + ['client_name' => 'silent']));
var_dump($lock->acquire(), $lock->release());
$count = $releases();
wait_each('with a connection', $lock, $server->freeze(...), function () use ($server, $redis, $releases, &$count) {
	$server->thaw();
	$count++;
	wait_until(fn () => $releases() === $count);
	/* Its answer leaves at the end of a turn of the server, perhaps the one we were told of it in. */
	$redis('PING');
});
var_dump($redis('EXISTS', 'silent'), $connections(), $lock->acquire(), $lock->release(), $connections());

$lock = new RedisLock($server->options($patience + ['client_name' => 'silent']));
wait_each('without one', $lock, $server->freeze(...), $server->thaw(...));
var_dump($lock->acquire(), $lock->release(), $redis('EXISTS', 'silent'));

/* Between two looks the server is there, the last of them it does not answer. */
$redis('ACL', 'SETUSER', 'poller', 'on', '>secret', '~*', '+@all', '-blpop');
$redis('SET', 'silent', 'of others');
$lock = new RedisLock($server->options($patience + ['username' => 'poller', 'password' => 'secret', 'retry_ms' => 20]));
var_dump($lock->acquire(0.5));
/* Not before it has been told twice that the lock is taken. */
$freezer = new Php('[, $pid, $address] = $argv;
	$redis = new Client($address);
	$tries = fn () => preg_match("/cmdstat_set:calls=(\d+)/", $redis("INFO", "commandstats"), $m) ? (int) $m[1] : 0;
	while (fgets(STDIN)) {
		$before = $tries();
		echo "watching\n";
		wait_until(fn () => $tries() >= $before + 3);
		stop_process((int) $pid);
		echo "frozen\n";
	}', [$server->pid, "unix://$server->socket"]);
wait_each('polling', $lock, function () use ($freezer) {
	$freezer->tell('freeze');
	$freezer->await('watching');
}, function () use ($server, $freezer) {
	$freezer->await('frozen');
	$server->thaw();
}, 1.5);
$redis('DEL', 'silent');
var_dump($lock->acquire(), $lock->release());

/* Nobody takes the connection. */
$listener = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
socket_bind($listener, '127.0.0.1', 0);
socket_listen($listener, 0);
socket_getsockname($listener, $host, $port);
$clients = [];
for ($i = 0; $i < 3; $i++) {
	$clients[$i] = socket_create(AF_INET, SOCK_STREAM, SOL_TCP);
	socket_set_nonblock($clients[$i]);
	@socket_connect($clients[$i], $host, $port);
}
$lock = new RedisLock(['host' => $host, 'port' => $port] + $patience);
wait_each('no connection', $lock, fn () => null, fn () => null);
?>
--EXPECT--
bool(true)
bool(true)
with a connection: lock "silent": the server did not answer in time true: ok
int(0)
int(1)
bool(true)
bool(true)
int(1)
without one: lock "silent": the server did not answer in time true: ok
bool(true)
bool(true)
int(0)
bool(false)
polling: false: ok
bool(true)
bool(true)
no connection: lock "silent": cannot connect: Connection timed out true: ok
