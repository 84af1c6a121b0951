--TEST--
The rights that docs/operate/operations.md names are enough for everything, being woken included
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
preg_match('/^    (ACL SETUSER lock .*)$/m', file_get_contents(__DIR__ . '/../../docs/operate/operations.md'), $rule);
if (server_is_before('6.2')) {
	$rule[1] = str_replace('+copy', '+ltrim', $rule[1]);
}
var_dump($redis(...explode(' ', $rule[1])));
$options = $server->options(['auth' => ['lock', 'password'], 'prefix' => 'app:', 'name' => 'rights']);
$lock = new RedisLock($options + ['fence' => true]);
var_dump($lock->acquire(), $lock->keepAlive(), $lock->isAcquired(), $lock->holder()['waited']);
no_checks($redis, 'rights', 'app:');
$waiter = new Waiter($options + ['renew' => true, 'interval' => 0.1]);
await_queue($redis, 1);
$freed = now();
var_dump($lock->release());
expect_taken('handed over', $freed, -1, WOKEN, $waiter->got());
$redis('DEL', '{app:rights}:rlk:waiters');
$second = new Waiter($options);
await_queue($redis, 1);
var_dump($lock->holder()['waited'], $lock->forceRelease());
$second->got();
$waiter->php->tell('release'); /* it was lost */
$waiter->php->line();
var_dump($second->do('release'), SequenceTask::execute($options + ['hold_at_least' => 0.01], fn () => 'done'));
var_dump($redis('ACL', 'LOG'));
?>
--EXPECT--
string(2) "OK"
bool(true)
bool(true)
bool(true)
bool(false)
bool(true)
handed over: ok
bool(true)
bool(true)
bool(true)
string(4) "done"
array(0) {
}
