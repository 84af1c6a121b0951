--TEST--
PHP's built-in server: a fatal error while fibers are suspended under a lock, or wait for one, leaves no connection
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/checks.inc';

$server = new Server(true);
$redis = $server->client();
$web = new BuiltIn($server);
$begin = 'RedisLock::setPoller(fn () => Fiber::suspend());
	$options = ["name" => "built_in_fatal_suspended", "renew" => true] + redis();
	$start = function (callable $code) use (&$fibers) { ($fibers[] = new Fiber($code))->start(); };';
$ways = [
	'execute()' => '$start(fn () => SequenceTask::execute($options, fn () => Fiber::suspend()));',
	'acquire()' => '$other = new RedisLock(["renew" => false] + $options); $_ = $other->acquire();
		$start(fn () => (new RedisLock($options))->acquire(60));',
];
foreach ($ways as $what => $code) {
	$file = $web->script("$begin $code say('suspended'); trigger_error('enough', E_USER_ERROR);");
	$suspended = 0;
	for ($i = 0; $i < 8; $i++) {
		$suspended += str_contains($web->run($file)->rest(), 'suspended');
		$redis('DEL', 'built_in_fatal_suspended');
	}
	/* One is kept, one is the renewal child's, and one ours. */
	$count = fn () => preg_match_all('/^id=/m', $redis('CLIENT', 'LIST'));
	echo "$what: $suspended, ", comes_true(fn () => $count() <= 3, 5) ? 'nothing is left' : 'connections: ' . $count(), "\n";
}
?>
--EXPECT--
execute(): 8, nothing is left
acquire(): 8, nothing is left
