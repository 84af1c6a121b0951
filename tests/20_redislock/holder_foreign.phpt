--TEST--
RedisLock::holder(): holders that are not of our making
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$lock = new RedisLock($server->options(['name' => 'holder_foreign']));
function show(?array $holder): void
{
	$holder['ttl'] = is_float($holder['ttl']) ? 'some' : $holder['ttl'];
	$holder['token'] = strlen($holder['token']) > 100 ? strlen($holder['token']) . ' bytes' : $holder['token'];
	echo addcslashes(json_encode($holder, JSON_INVALID_UTF8_SUBSTITUTE), "\0..\37"), "\n";
}
foreach (['plain', '', "\0\xff", 'rlk1:', 'rlk1:host:12:label:short', str_repeat('x', 2000), 'rlk2:h:1::' .
	str_repeat('0', 32)] as $value) {
	$redis('SET', 'holder_foreign', $value, 'PX', '60000');
	show($lock->holder());
}
$redis('PERSIST', 'holder_foreign');
show($lock->holder());
$redis('DEL', 'holder_foreign');
$redis('ZADD', 'holder_foreign', 1, 'symfony');
show($lock->holder());
$redis('SET', 'holder_foreign', 'rlk1:elsewhere:4711:a%20b:' . str_repeat('0', 32) . ':done', 'PX', '60000');
show($lock->holder());
?>
--EXPECT--
{"token":"plain","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"\u0000\ufffd","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"rlk1:","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"rlk1:host:12:label:short","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"1024 bytes","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"rlk2:h:1::00000000000000000000000000000000","host":null,"pid":null,"label":null,"ttl":"some","waited":false,"resting":false}
{"token":"rlk2:h:1::00000000000000000000000000000000","host":null,"pid":null,"label":null,"ttl":null,"waited":false,"resting":false}
{"token":"","host":null,"pid":null,"label":null,"ttl":null,"waited":false,"resting":false}
{"token":"rlk1:elsewhere:4711:a%20b:00000000000000000000000000000000:done","host":"elsewhere","pid":4711,"label":"a b","ttl":"some","waited":false,"resting":true}
