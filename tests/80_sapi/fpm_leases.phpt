--TEST--
PHP-FPM: a lease outlives its request, its fatal error and its worker
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$take = '$lock = new RedisLock(redis(["name" => "fpm_leases"])); $lock->acquire() || say("refused"); say($lock->getToken()); ';
$ends = ['return' => '', 'exit()' => 'exit;', 'fatal error' => 'eval("class Broken { function f(); }");',
	'killed worker' => 'say("in"); sleep(60);'];
foreach ($ends as $name => $code) {
	$request = $fpm->request($take . $code);
	$token = $request->line();
	if ($name === 'killed worker') {
		posix_kill($request->await('in')->pid, SIGKILL);
	}
	$request->rest();
	/* The next request takes it over, as a queue's worker does with the lock of a web request. */
	$next = $fpm->request('$lock = RedisLock::restore(redis(), "fpm_leases", ' . var_export($token, true) . ');
		var_dump($lock->isAcquired(), $lock->release());');
	echo "$name, ", $next->pid === $request->pid ? 'same' : 'another', ' worker: ', strtr($next->rest(), "\n", ' '), "\n";
}
--EXPECT--
return, same worker: bool(true) bool(true) 
exit(), same worker: bool(true) bool(true) 
fatal error, same worker: bool(true) bool(true) 
killed worker, another worker: bool(true) bool(true)
