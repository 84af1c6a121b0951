--TEST--
fence: refused for names that leave the counter in another Cluster slot
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
require __DIR__ . '/../inc/outcome.inc';
$redis = $server->client();
$lock = new RedisLock($server->options(['fence' => true]));
foreach (['fence_names', 'a{b}fence_names', 'fence_names}', 'fence_names{', 'fence{}names', 'fence{x}{y}names',
	'}fence_names'] as $name) {
	echo $name, ': ', outcome(fn () => $lock->lock($name)), "\n";
}
$keys = $redis('KEYS', '*');
sort($keys);
echo implode("\n", $keys), "\n";
/* Without the option they are names like any other. */
var_dump($lock->lock('}fence_names', RedisLock::NONBLOCKED, ['fence' => false]));
/* A counter that is none. */
$redis('SET', '{fence_names:2}:rlk:fence', 'x');
echo outcome(fn () => $lock->lock('fence_names:2')), ' ', $redis('EXISTS', 'fence_names:2'), "\n";
$redis('SET', '{fence_names:2}:rlk:fence', '9007199254740992');
echo outcome(fn () => $lock->lock('fence_names:2')), ' ', $redis('EXISTS', 'fence_names:2'), "\n";
?>
--EXPECTF--
fence_names: true
a{b}fence_names: true
fence_names}: ValueError: option "fence" cannot be used with this name: it has a brace that leaves the counter in another Cluster slot
fence_names{: true
fence{}names: ValueError: option "fence" cannot be used with this name: it has a brace that leaves the counter in another Cluster slot
fence{x}{y}names: true
}fence_names: ValueError: option "fence" cannot be used with this name: it has a brace that leaves the counter in another Cluster slot
a{b}fence_names
a{b}fence_names:rlk:fence
fence_names
fence_names{
fence{x}{y}names
fence{x}{y}names:rlk:fence
{fence_names{}:rlk:fence
{fence_names}:rlk:fence
bool(true)
RedisLock\ConnectionException: lock "fence_names:2": the server answered: ERR %Svalue is not an integer or out of range%S (unix://%s) 0
RedisLock\ConnectionException: lock "fence_names:2": the server answered: ERR fence counter out of range (unix://%s) 0
