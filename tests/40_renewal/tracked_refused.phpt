--TEST--
A server or user without client-side tracking: it is asked once, and a loss is found by the next renewal
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
server_is_before('6.0') && die('skip this server has no client-side tracking');
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$row = fn () => preg_match('/^A loss is told => (.*)$/m', said_by_info(), $m) ? $m[1] : '?';
function said_by_info(): string
{
	ob_start();
	(new ReflectionExtension('redislock'))->info();
	return ob_get_clean();
}
echo 'at first: ', $row(), "\n";
$rights = ['on', '>p', '~*', '-@all', '+set', '+get', '+del', '+exists', '+pexpire', '+pttl', '+eval', '+evalsha'];
const CASES = [
	'nothing' => [[], ['+hello', '+client|tracking']],
	'HELLO' => [['--rename-command', 'HELLO', ''], ['+client|tracking']],
	'CLIENT TRACKING' => [[], ['+hello']],
];
foreach (CASES as $without => [$settings, $more]) {
	$s = new Server(false, ...$settings);
	$redis = $s->client();
	$redis('ACL', 'SETUSER', 'user', ...$rights, ...$more);
	$lock = new RedisLock($s->options(['name' => 'tracked_refused', 'username' => 'user', 'password' => 'p', 'renew' => true, 'ttl' => 30, 'interval' => 0.3]));
	$_ = $lock->acquire();
	/* Over several connections. */
	for ($i = 0; is_renewed($redis, 'tracked_refused') && $i < 3; $i++) {
		kill_clients($redis);
	}
	$refused = array_filter($redis('ACL', 'LOG'), fn ($entry) => $entry[9] === 'user');
	echo "without $without: ", array_sum(array_map(fn ($entry) => $entry[1], $refused)), ' refused, ', $row(), ', ';
	try {
		$redis('DEL', 'tracked_refused');
		for ($until = now() + 10; now() < $until;);
		echo "not told\n";
	} catch (RedisLock\LockLostException) {
		echo "told\n";
	}
	unset($lock);
}
?>
--EXPECT--
at first: at once, where the server has CLIENT TRACKING
without nothing: 0 refused, at once, told
without HELLO: 0 refused, by the next renewal: a server, a proxy or a user's rights refuse HELLO 3 or CLIENT TRACKING, told
without CLIENT TRACKING: 1 refused, by the next renewal: a server, a proxy or a user's rights refuse HELLO 3 or CLIENT TRACKING, told
