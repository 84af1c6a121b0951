--TEST--
permits, shared: what is sent behind what, so that nothing is released late and nothing waits for a broken connection
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/waiting.inc';
$server = new Server();
$redis = $server->client();
$monitor = $server->client();
var_dump($monitor('MONITOR'));
/** The next script that is sent whole, if it does that: its text, its keys and its arguments. */
$script = function (callable $is) use ($monitor): array {
	do {
		preg_match_all('/"((?:[^"\\\\]++|\\\\.)*+)"/', $monitor->receive(), $m);
		$words = array_map('stripcslashes', $m[1]);
		$count = (int) ($words[2] ?? 0);
		$sent = [$words[1] ?? '', array_slice($words, 3, $count), array_slice($words, 3 + $count)];
	} while (($words[0] ?? '') !== 'EVAL' || !$is($sent[1], $sent[2], $sent[0]));
	return $sent;
};

/* A proxy delivers what follows ZREM once more, when the token of the application is in use again. */
$all = ['name' => 'wire', 'shared' => true];
$ours = new RedisLock($server->options($all + ['token' => 'ours']));
$other = new RedisLock($server->options($all));
step('both', $ours->acquire(), $other->acquire());
step('released, and again', $ours->release(), $ours->acquire());
[$text, $keys, $arguments] = $script(fn ($keys, $arguments, $text) => $keys[0] === 'wire' && str_starts_with($text, '-- set_release'));
$redis('EVAL', $text, count($keys), ...$keys, ...$arguments);
step('delivered late', $ours->isAcquired(), $redis('ZCARD', 'wire'));
unset($ours, $other);

/* A writer waits for readers at the turnstile. If its release finds the connection broken, the extension is still to be sent. */
$reader = new RedisLock($server->options(['name' => 'wire_turn', 'shared' => true]));
step('a reader', $reader->acquire());
$writer = new Waiter($server->options(['name' => 'wire_turn', 'ttl' => 30]));
await_queue($redis, 1);
step('the writer', $reader->release(), $writer->got() > 0);
$releases = fn ($keys, $arguments) => $keys[0] === '{wire_turn}:rlk:turn' && count($arguments) === 1;
$extends = fn ($keys, $arguments) => $keys === ['wire_turn'] && end($arguments) === '30000';
$first = $script(fn ($keys, $arguments) => $releases($keys, $arguments) || $extends($keys, $arguments));
step('the turnstile, first', $releases($first[1], $first[2]));
?>
--EXPECT--
string(2) "OK"
both: true, true
released, and again: true, true
delivered late: true, 2
a reader: true
the writer: true, true
the turnstile, first: true
