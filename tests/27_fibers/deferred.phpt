--TEST--
RedisLock::setPoller(): two fibers acquire on several servers at once; a server that answers neither has both releases behind the requests
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(2, false);
$loop = new Loop;
$loop->install();
/* It takes connections and requests, and says nothing. */
$path = $servers[0]->dir . '/silent';
$silent = stream_socket_server("unix://$path");
$red = new RedLock([...addresses($servers, 60), ['path' => $path, 'timeout' => 60, 'read_timeout' => 60]], 1, 1);

$locks = [];
array_map(fn (Server $server) => $server->freeze(), $servers);
foreach (['a', 'b'] as $name) {
	$loop->start(function () use ($red, $name, &$locks) {
		$locks[$name] = $red->lock("deferred:$name", 60000);
	});
}
step('under way', $loop->polls, count($locks));
array_map(fn (Server $server) => $server->thaw(), $servers);
$loop->run();
ksort($locks);
step('acquired', ...array_map('is_array', array_values($locks)));
step('released', ...array_map($red->unlock(...), array_values($locks)));

/* What each connection carried. */
$carried = [];
$connections = [];
$releases = function (array $lock) use (&$carried): bool {
	foreach ($carried as $bytes) {
		if (preg_match("/\nSET\r\n\S+\r\n\S+\r\n\S+\r\n$lock[token]\r(.*)/s", $bytes, $behind)) {
			return str_contains($behind[1], $lock['token']);
		}
	}
	return false;
};
$read = function () use ($silent, &$connections, &$carried) {
	$ready = [$silent, ...$connections];
	$write = $except = [];
	stream_select($ready, $write, $except, 0, 10000);
	if (in_array($silent, $ready, true)) {
		$connections[] = stream_socket_accept($silent);
		stream_set_blocking(end($connections), false);
	}
	foreach ($connections as $i => $connection) {
		$carried[$i] = ($carried[$i] ?? '') . stream_get_contents($connection);
	}
};
foreach ($locks as $name => $lock) {
	step("$name is released behind its request", comes_true(function () use ($read, $releases, $lock) {
		$read();
		return $releases($lock);
	}));
}
?>
--EXPECT--
under way: 2, 0
acquired: true, true
released: true, true
a is released behind its request: true
b is released behind its request: true
