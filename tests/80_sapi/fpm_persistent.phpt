--TEST--
PHP-FPM: a request with a lock costs two requests and no connection
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s, "pm = static\npm.max_children = 1");
$connections = fn () => preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
$request = fn (string $more = '') => strtr($fpm->request('$lock = new RedisLock(redis(["name" => "fpm_persistent"]));
	var_dump($lock->acquire(), $lock->release());' . $more)->rest(), "\n", ' ') . "\n";
echo $request();
$before = $connections();
for ($i = 0; $i < 5; $i++) {
	$request();
}
echo 'connections: ', $connections() - $before, "\n";
$monitor = $s->client();
$monitor('MONITOR');
echo $request();
$redis('PING', 'end');
/* The release is a script or, where the server has one, a compare command and a look at whether somebody waits. */
while (!str_contains($line = $monitor->receive(), '"PING"')) {
	if (!preg_match('/ lua\] |"EXISTS"/', $line)) {
		echo preg_replace(['/^[\d.]+ \[[^]]*\] "(\w+)".*/', '/EVALSHA|DELEX|DELIFEQ/'], ['$1', 'release'], $line), "\n";
	}
}
/* A fatal error in a request leaves nothing behind that disturbs the next. */
$request('eval("class Broken { function f(); }");');
echo $request();
/* Nor does a connection that the server closed meanwhile. */
kill_clients($redis);
echo $request();
--EXPECT--
bool(true) bool(true) 
connections: 0
bool(true) bool(true) 
SET
release
bool(true) bool(true) 
bool(true) bool(true)
