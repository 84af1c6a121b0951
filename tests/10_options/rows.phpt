--TEST--
Every spelling of the connection options and every form of a URI, by what reaches the server
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$v6 = (bool) @stream_socket_server('tcp://[::1]:0');
$server = new Server(true, '--bind', '127.0.0.1', server_is_before('6.2') ? '::1' : '-::1', '--requirepass', '12345');
$redis = $server->client();
$redis('AUTH', '12345');
$redis('ACL', 'SETUSER', 'ann', 'on', '>p@ss:w/rd?#%', '~*', '+@all');
$redis('ACL', 'SETUSER', 'nopass', 'on', 'nopass', '~*', '+@all');
$path = $server->socket;
$port = $server->port;
$e = rawurlencode('p@ss:w/rd?#%');
$tcp = ['host' => '127.0.0.1', 'port' => $port];
$sock = ['path' => $path];
$own = ['password' => '12345'];

/* user, database, client name, address and key of the connection that has just come. */
$seen = function (array|string $params) use ($redis): string {
	$lock = new RedisLock($params, str_contains(serialize($params), 'job') ? [] : ['name' => 'default']);
	try {
		$_ = $lock->acquire();
	} catch (RedisLock\Exception $e) {
		return preg_replace('/ \(.*/', '', $e->getMessage());
	}
	$lines = explode("\n", trim($redis('CLIENT', 'LIST')));
	usort($lines, fn ($a, $b) => (int) substr($a, 3) <=> (int) substr($b, 3));
	preg_match_all('/([\w-]+)=(\S*)/', end($lines), $fields);
	['addr' => $addr, 'name' => $name, 'flags' => $flags, 'db' => $db, 'user' => $user] = array_combine($fields[1], $fields[2]);
	/* By the flag: the newest servers show "[path:0]:0" as the address of a socket. */
	$where = str_contains($flags, 'U') ? 'socket' : (str_starts_with($addr, '[') ? 'IPv6' : 'IPv4');
	$redis('SELECT', $db);
	$keys = $redis('KEYS', '*');
	$redis('FLUSHALL');
	return "$where user=$user db=$db" . ($name === '' ? '' : " name=$name") . ' key=' . implode(',', $keys);
};
$default = 'IPv4 user=default db=0 key=default';
$ann = 'IPv4 user=ann db=0 key=default';
$unix = 'socket user=default db=0 key=default';
$refused = 'lock "default": the server answered: NOAUTH Authentication required.';
$wrong = 'lock "default": the server refused the credentials: ' . wrong_password();
$rows = [
	/* Where it is. */
	[$tcp + $own, $default],
	[['hostname' => '127.0.0.1', 'port' => (string) $port] + $own, $default],
	[['host' => 'localhost', 'port' => (float) $port] + $own, $default],
	[['host' => 'tcp://127.0.0.1', 'port' => $port] + $own, $default],
	[['host' => 'redis://127.0.0.1', 'port' => $port, 'scheme' => 'tcp'] + $own, $default],
	[['host' => '::1', 'port' => $port] + $own, 'IPv6 user=default db=0 key=default'],
	[['host' => '[::1]', 'port' => $port] + $own, 'IPv6 user=default db=0 key=default'],
	[['host' => 'tcp://[::1]', 'port' => $port] + $own, 'IPv6 user=default db=0 key=default'],
	[['scheme' => 'tcp'] + $tcp + $own, $default],
	[['scheme' => 'redis'] + $tcp + $own, $default],
	[['scheme' => 'valkey'] + $tcp + $own, $default],
	[['scheme' => 'TCP', 'useSSL' => false] + $tcp + $own, $default],
	[['scheme' => 'unix'] + $sock + $own, $unix],
	[['scheme' => 'unix', 'port' => $port] + $sock + $own, $unix],
	[$sock + $own, $unix],
	[['unixSocket' => $path] + $own, $unix],
	[['unix_socket' => $path] + $own, $unix],
	[['host' => $path] + $own, $unix],
	[['host' => $path, 'port' => 0, 'scheme' => 'unix'] + $own, $unix],
	[['host' => $path, 'port' => -1] + $own, $unix],
	[['host' => "unix://$path"] + $own, $unix],
	[['host' => null, 'scheme' => null, 'port' => null, 'url' => null, 'username' => null, 'auth' => null, 'database' => null,
		'timeout' => null, 'persistent' => null, 'ssl' => null, 'client_name' => null] + $sock + $own, $unix],

	/* Who we are. */
	[$tcp, $refused],
	[$tcp + ['password' => ''], $refused],
	[$tcp + ['password' => null, 'username' => ''], $refused],
	[$tcp + ['password' => 12345], $default],
	[$tcp + ['pass' => '12345'], $default],
	[$tcp + ['username' => '', 'password' => 12345], $default],
	[$tcp + ['user' => 'default', 'pass' => 12345], $default],
	[$tcp + ['auth' => '12345'], $default],
	[$tcp + ['auth' => 12345], $default],
	[$tcp + ['auth' => ['12345']], $default],
	[$tcp + ['auth' => [null, 12345]], $default],
	[$tcp + ['auth' => ['ann', 'p@ss:w/rd?#%']], $ann],
	[$tcp + ['auth' => 'p@ss:w/rd?#%', 'username' => 'ann'], $ann],
	[$tcp + ['username' => 'ann', 'password' => 'p@ss:w/rd?#%'], $ann],
	[$tcp + ['user' => 'nopass', 'pass' => 'anything'], 'IPv4 user=nopass db=0 key=default'],
	[$tcp + ['username' => 'ann', 'password' => '12345'], $wrong],
	[$tcp + ['auth' => 'p@ss:w/rd?#%'], $wrong],

	/* Database, client name, prefix. */
	[$tcp + $own + ['database' => 3], 'IPv4 user=default db=3 key=default'],
	[$tcp + $own + ['db' => '3'], 'IPv4 user=default db=3 key=default'],
	[$tcp + $own + ['dbindex' => 3], 'IPv4 user=default db=3 key=default'],
	[$tcp + $own + ['database' => ''], $default],
	[$tcp + $own + ['database' => '0', 'db' => 0], $default],
	[$tcp + $own + ['database' => 99], 'lock "default": the server answered: ERR DB index is out of range'],
	[$tcp + $own + ['client_name' => 'cron-7', 'name' => 'job'], 'IPv4 user=default db=0 name=cron-7 key=job'],
	[$tcp + $own + ['prefix' => 'p:'], 'IPv4 user=default db=0 key=p:default'],

	/* URIs: TCP, sockets, percent-encoding, beside other options, Symfony's. */
	["tcp://127.0.0.1:$port?database=3&password=12345", 'IPv4 user=default db=3 key=default'],
	["tcp://ann:$e@127.0.0.1:$port", $ann],
	["redis://:12345@127.0.0.1:$port", $default],
	["redis://:12345@127.0.0.1:$port/3", 'IPv4 user=default db=3 key=default'],
	["valkey://ann:$e@127.0.0.1:$port/3?prefix=a%3A+b&client_name=x", 'IPv4 user=ann db=3 name=x key=a: bdefault'],
	["redis://127.0.0.1:$port?auth=$e&user=ann", $ann],
	["redis://:12345@localhost:$port?name=job", 'IPv4 user=default db=0 key=job'],
	["redis://:12345@[::1]:$port", 'IPv6 user=default db=0 key=default'],
	["unix:$path?password=12345&database=3", 'socket user=default db=3 key=default'],
	["unix://$path?password=12345", $unix],
	["unix://ann:$e@$path", 'socket user=ann db=0 key=default'],
	["redis://:12345@127.0.0.1:$port?class=Redis&persistent=0&timeout=30&read_timeout=0&retry_interval=0&tcp_keepalive=0&lazy=1" .
		"&cluster=0&failover=none&dbindex=2", 'IPv4 user=default db=2 key=default'],
	[['url' => "redis://127.0.0.1:$port", 'database' => '1'] + $own, 'IPv4 user=default db=1 key=default'],

	/* Whole configurations as they are found. */
	'Predis' => [['scheme' => 'tcp', 'async_connect' => false, 'persistent' => true, 'conn_uid' => 'x', 'timeout' => 5.0,
		'read_write_timeout' => 60, 'alias' => 'first', 'role' => 'master', 'protocol' => 2, 'tcp_nodelay' => true,
		'client_info' => true, 'cache' => false, 'ssl' => []] + $tcp + $own, $default],
	'phpredis' => [$tcp + ['readTimeout' => 2.5, 'connectTimeout' => 2.5, 'retryInterval' => 100, 'persistent' => 'pool',
		'auth' => ['ann', 'p@ss:w/rd?#%'], 'backoff' => ['algorithm' => 1, 'base' => 500, 'cap' => 750], 'database' => 2, 'ssl' => null],
		'IPv4 user=ann db=2 key=default'],
	'Yii2' => [['class' => 'yii\redis\Connection', 'hostname' => '127.0.0.1', 'port' => $port, 'unixSocket' => null, 'username' => null,
		'password' => '12345', 'database' => 2, 'connectionTimeout' => 2, 'dataTimeout' => 2.5, 'useSSL' => false,
		'socketClientFlags' => STREAM_CLIENT_CONNECT, 'retries' => 1, 'retryInterval' => 1000,
		'redirectConnectionString' => null, 'redisCommands' => ['GET']], 'IPv4 user=default db=2 key=default'],
	'Laravel, a connection' => [['url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => '12345', 'port' => (string) $port,
		'database' => '0', 'max_retries' => 3, 'backoff_algorithm' => 'decorrelated_jitter', 'backoff_base' => 100,
		'backoff_cap' => 1000], $default],
];
$right = 0;
foreach ($rows as $name => [$params, $expected]) {
	if (!$v6 && str_starts_with($expected, 'IPv6')) {
		$right++;
		continue;
	}
	$came = outcome(fn () => $seen($params));
	if ($came === var_export($expected, true)) {
		$right++;
	} else {
		echo "$name: ", json_encode($params), "\n\tcame     $came\n\texpected '$expected'\n";
	}
}
echo $right === count($rows) ? 'all' : $right, " right\n";

/* What cannot change what a lock means, whatever it says. */
foreach (['alias', 'role', 'protocol', 'async_connect', 'tcp_nodelay', 'tcp_keepalive', 'client_info', 'cache', 'lazy',
	'driver', 'client', 'scan', 'serializer', 'compression', 'compression_level', 'pack_ignore_numbers', 'command_retries', 'backoff',
	'backoff_algorithm', 'failover', 'class', 'command_timeout', 'redirectConnectionString', 'redisCommands', 'socketClientFlags',
	'persistent_id', 'conn_uid'] as $key) {
	foreach ([null, true, -1, 1.5, 'x', '', ['a' => 1], ['a'], new stdClass] as $value) {
		new RedisLock([$key => $value]);
	}
}

?>
--EXPECT--
all right
