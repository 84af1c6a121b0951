--TEST--
RedisLock\Worker::endRequest(): a server that does not answer costs a second, however many locks there are
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require_once __DIR__ . '/../inc/timing.inc';

$s = new Server;
$locks = [];
RedisLock\Worker::beginRequest();
foreach (['a', 'b', 'c'] as $name) {
	$locks[$name] = new RedisLock($s->options(['name' => "worker_requests_away:$name", 'renew' => true, 'read_timeout' => 5]));
	$_ = $locks[$name]->acquire();
}
$s->freeze();
$start = now();
echo implode(' ', RedisLock\Worker::endRequest()), "\n";
expect_taken('seconds', $start, 0.9, 2.5);
$s->thaw();
$redis = $s->client();
var_dump(comes_true(fn () => $redis('DBSIZE') === 0, 5));
/* The limit was that of the end of the request. */
var_dump($locks['a']->acquire(), $locks['a']->release());
?>
--EXPECT--
worker_requests_away:c worker_requests_away:b worker_requests_away:a
seconds: ok
bool(true)
bool(true)
bool(true)
