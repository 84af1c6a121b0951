--TEST--
All spellings of the connection options reach the server they mean
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server(true);
$redis = $server->client();
$redis('ACL', 'SETUSER', 'ann', 'on', '>p@ss:w/rd', '~*', '+@all');
$redis('ACL', 'SETUSER', 'default', 'on', 'resetpass', '>12345');
$path = $server->socket;
$port = $server->port;
$encoded = rawurlencode('p@ss:w/rd');
foreach ([
	['host' => '127.0.0.1', 'port' => $port, 'password' => '12345', 'database' => 5],
	['hostname' => 'localhost', 'port' => (string) $port, 'pass' => 12345, 'db' => '5'],
	['scheme' => 'tcp', 'host' => '127.0.0.1', 'port' => $port, 'auth' => '12345', 'dbindex' => 5],
	['unixSocket' => $path, 'auth' => ['12345'], 'database' => 5],
	['path' => $path, 'auth' => ['ann', 'p@ss:w/rd'], 'database' => 5],
	['unix_socket' => $path, 'username' => 'ann', 'password' => 'p@ss:w/rd', 'database' => 5],
	['scheme' => 'unix', 'path' => $path, 'auth' => ['ann', 'p@ss:w/rd'], 'database' => 5],
	['host' => $path, 'port' => 0, 'user' => 'ann', 'pass' => 'p@ss:w/rd', 'database' => 5],
	['url' => "redis://ann:$encoded@127.0.0.1:$port/5"],
	['url' => "tcp://127.0.0.1:$port?database=5&password=12345"],
	['url' => "redis://:12345@127.0.0.1:$port", 'database' => '5', 'client_name' => 'me',
		'persistent' => true, 'read_write_timeout' => 5, 'timeout' => 5.0, 'alias' => 'x'],
	"unix:$path?database=5&password=12345",
	"unix://$path?database=5&username=ann&password=$encoded",
	"valkey://ann:$encoded@localhost:$port/5",
] as $i => $params) {
	$locks[] = $lock = new RedisLock($params, ['name' => "spellings-$i"]);
	if (!$lock->acquire()) {
		echo "$i is not acquired\n";
	}
}
$redis('AUTH', '12345');
$redis('SELECT', 5);
$keys = $redis('KEYS', 'spellings-*');
sort($keys, SORT_NATURAL);
echo count($keys), ' ', end($keys), ' ', str_contains($redis('CLIENT', 'LIST'), 'name=me ') ? 'named' : 'not named',
	"\n";
?>
--EXPECT--
14 spellings-13 named
