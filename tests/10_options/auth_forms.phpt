--TEST--
AUTH has one argument without a user and two with one, whatever the spelling; no password, no AUTH
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
require __DIR__ . '/../inc/fake_server.inc';
$rows = [
	'p' => [
		['password' => 'p'], ['pass' => 'p'], ['auth' => 'p'], ['auth' => ['p']], ['auth' => [null, 'p']], ['auth' => ['', 'p']],
		['auth' => ['pass' => 'p']], ['auth' => ['password' => 'p', 'username' => null]], ['username' => '', 'password' => 'p'],
		['options' => ['parameters' => ['password' => 'p']]], ['options' => ['parameters' => ['username' => 'u', 'auth' => 'q']], 'auth' => 'p'],
	],
	'7' => [['password' => 7], ['auth' => 7], ['auth' => [7]], ['auth' => ['pass' => 7]]],
	'u p' => [
		['username' => 'u', 'password' => 'p'], ['user' => 'u', 'pass' => 'p'], ['auth' => ['u', 'p']], ['auth' => ['user' => 'u', 'pass' => 'p']],
		['auth' => ['username' => 'u', 'password' => 'p']], ['auth' => 'p', 'user' => 'u'], ['auth' => ['u', 'p'], 'username' => 'u'],
	],
	'default p' => [['username' => 'default', 'password' => 'p']],
	'' => [['password' => ''], ['password' => null, 'username' => null], ['auth' => ''], ['auth' => []], ['auth' => null]],
];
$uris = ['p' => ['://:p@%s', ':%s?password=p', ':%s?auth=p'], 'u p' => ['://u:p@%s', ':%s?auth=p&user=u'], '' => ['://%s', '://:@%s'],
	'7' => ['://:7@%s']];
$script = '';
$play = function (array $rows, string $name) use (&$script) {
	foreach ($rows as $auth => $list) {
		$script .= str_repeat(($auth === '' ? '' : "EXPECT AUTH $auth\nSEND +OK\n") . "EXPECT SET $name * NX PX 60000\nSEND +OK\nEXPECT-CLOSE\n",
			count($list));
	}
};
$play($rows, 'array');
$play($uris, 'uri');
$server = new FakeServer($script);
foreach (array_merge(...array_values($rows)) as $params) {
	(new RedisLock($server->options($params + ['name' => 'array'])))->acquire();
}
foreach (array_merge(...array_values($uris)) as $uri) {
	(new RedisLock('unix' . sprintf($uri, $server->socket), ['name' => 'uri']))->acquire();
}
echo $server->verdict();
?>
--EXPECT--
played
