--TEST--
AUTH has one argument without a user and two with one, whatever the spelling; no password, no AUTH
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$rows = [
	'p' => [
		['password' => 'p'], ['pass' => 'p'], ['auth' => 'p'], ['auth' => ['p']], ['auth' => [null, 'p']], ['auth' => ['', 'p']],
		['username' => '', 'password' => 'p'],
		'unix://:p@%s', 'unix:%s?password=p', 'unix:%s?auth=p',
	],
	'7' => [['password' => 7], ['auth' => 7], ['auth' => [7]], 'unix://:7@%s'],
	'u p' => [
		['username' => 'u', 'password' => 'p'], ['user' => 'u', 'pass' => 'p'], ['auth' => ['u', 'p']],
		['auth' => 'p', 'user' => 'u'], ['auth' => ['u', 'p'], 'username' => 'u'],
		'unix://u:p@%s', 'unix:%s?auth=p&user=u', 'unix://%%75:%%70@%s',
	],
	'default p' => [['username' => 'default', 'password' => 'p']],
	'-' => [['password' => ''], ['password' => null, 'username' => null], ['auth' => ''], ['auth' => []], ['auth' => null], 'unix://%s',
		'unix://:@%s'],
];
/* Takes any password, and prints for each connection what it was told. A real server does not tell anybody. */
$server = new Php(<<<'CODE'
	$listener = stream_socket_server("unix://$argv[1]");
	echo "listening\n";
	while ($client = stream_socket_accept($listener, -1)) {
		$told = '-';
		while ($line = fgets($client)) {
			for ($args = [], $left = (int) substr($line, 1); $left > 0; $left--) {
				$args[] = substr(stream_get_contents($client, (int) substr(fgets($client), 1) + 2), 0, -2);
			}
			if ($args[0] === 'AUTH') {
				$told = implode(' ', array_slice($args, 1));
			}
			fwrite($client, ['AUTH' => '+OK', 'SET' => '+OK'][$args[0]] ?? '-NOSCRIPT');
			fwrite($client, "\r\n");
		}
		echo "$told\n";
	}
	CODE, [$path = sys_get_temp_dir() . '/auth_forms-' . getmypid()]);
register_shutdown_function(fn () => @unlink($path));
$server->await('listening');
foreach ($rows as $expected => $list) {
	foreach ($list as $params) {
		$lock = new RedisLock(is_string($params) ? sprintf($params, $path) : ['path' => $path] + $params, ['name' => 'auth_forms']);
		$acquired = outcome(fn () => $lock->acquire());
		unset($lock);
		$told = $server->line();
		echo $told === (string) $expected && $acquired === 'true' ? '' : json_encode($params) . ": $told, $acquired\n";
	}
}
echo "done\n";
?>
--EXPECT--
done
