--TEST--
PHP-FPM: a request with a lock over TLS costs two commands and no connection; a process-bound one is freed at its end
--SKIPIF--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/checks.inc';
skip_unless_fpm();
skip_unless_tls();
--FILE--
<?php
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/checks.inc';

$ca = new Authority;
$tls = $ca->server($ca->issue());
$redis = $tls->server->client();
chmod($ca->dir, 0755); /* the workers may be another user */
chmod($ca->cafile, 0644);
$fpm = new Fpm($tls->server, "pm = static\npm.max_children = 1");
$connections = fn () => preg_match('/total_connections_received:(\d+)/', $redis('INFO', 'stats'), $m) ? (int) $m[1] : 0;
$request = fn (array $more = []) => strtr($fpm->request('$lock = new RedisLock(' . var_export($tls->options($more + ['name' => 'fpm_tls']), true) . ');
	var_dump($lock->acquire(), $lock->release());')->rest(), "\n", ' ') . "\n";
echo $request();
$before = $connections();
for ($i = 0; $i < 5; $i++) {
	$request();
}
echo 'connections: ', $connections() - $before, "\n";
/* What the server has closed meanwhile is not used. */
kill_clients($redis);
echo $request();
/* A process-bound lock, left to the end of the request. */
echo $fpm->request('$lock = new RedisLock(' . var_export($tls->options(['name' => 'fpm_tls', 'renew' => true]), true) . ');
	var_dump($lock->acquire());
	$GLOBALS["kept"] = $lock;')->rest();
wait_until(fn () => $redis('EXISTS', 'fpm_tls') === 0);
echo $request(['renew' => true]);
--EXPECT--
bool(true) bool(true) 
connections: 0
bool(true) bool(true) 
bool(true)
bool(true) bool(true)
