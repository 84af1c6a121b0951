--TEST--
containers: a given token whose renewal child is gone for good: who has acquired with the same one meanwhile keeps the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/container.inc'; skip_unless_container('pids');
--FILE--
<?php
require __DIR__ . '/../inc/container.inc';

$s = new Server;
$redis = $s->client();
$code = <<<'CODE'
fgets(STDIN);
$lock = new RedisLock(json_decode($argv[1], true) + ['renew' => true, 'ttl' => 60]);
$_ = $lock->acquire();
echo await_renewal_child(getmypid()), "\n";
try {
	for (;;);
} catch (RedisLock\LockLostException $e) {
	echo $e->getMessage(), "\n";
}
fgets(STDIN);
var_dump($lock->release());
CODE;
$group = new ControlGroup('pids');
foreach (['of its own' => [], 'given' => ['token' => 'given']] as $what => $token) {
	$group->set(2);
	$process = new Php($code, [json_encode($s->options(['name' => 'no_child_given'] + $token))]);
	$group->add($process->pid);
	$process->tell('');
	$child = (int) $process->line() ?: throw new AssertionError($process->rest());
	$group->set(1);
	posix_kill($child, SIGKILL);
	echo "$what: ", $process->line(), "\n";
	/* It is over, and somebody acquires by the same token. */
	$redis('SET', 'no_child_given', $redis('GET', 'no_child_given'), 'PX', 60000);
	$process->tell('');
	echo $process->line(), ' ', $redis('EXISTS', 'no_child_given') === 1 ? 'kept' : 'released', "\n";
	$process->end();
	$redis('DEL', 'no_child_given');
}
?>
--EXPECT--
of its own: lock "no_child_given" was lost: the renewal child died and could not be started again
bool(false) released
given: lock "no_child_given" was lost: the renewal child died and could not be started again
bool(false) kept
