--TEST--
permits, shared: who holds it, as NotAcquiredException and var_dump() say
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/timing.inc';
$server = new Server();
$redis = $server->client();
$lock = fn (array $more = []) => new RedisLock($server->options($more + ['name' => 'holders_messages', 'ttl' => 50]));
$task = function (array $more = []) use ($server) {
	try {
		with_holder(fn () => SequenceTask::execute($server->options($more + ['name' => 'holders_messages']), fn () => 0));
	} catch (RedisLock\NotAcquiredException $e) {
		return preg_replace(['/\d+ s left/', '/ on \S+ \(process \d+\)/'], ['N s left', ' on HOST (process N)'], $e->getMessage()) .
			' ' . json_encode([strlen($e->getHolder()['token']) > 3, $e->getRemaining() > 30, $e->isRetryable()]);
	}
};
$other = fn (string $label) => "rlk1:host:1:$label:" . str_repeat('0', 32);
$three = ['permits' => 3];
$one = $lock($three + ['token' => $other('nightly')]);
$two = $lock($three + ['weight' => 2, 'token' => $other('hourly'), 'ttl' => 100]);
$_ = $one->acquire();
$_ = $two->acquire();
echo $task($three), "\n", $task(['permits' => 5, 'weight' => 4]), "\n", $task(), "\n";
$two->release();
echo $task($three + ['weight' => 3]), "\n";
$mine = $lock($three);
$_ = $mine->acquire();
$one->release();
$redis('SET', '{holders_messages}:rlk:turn', 'somebody');
echo $task($three), "\n";
$redis('DEL', '{holders_messages}:rlk:turn');
ob_start();
var_dump($mine);
echo preg_match('/"(held by permit, [\d.]+ s left)"/', ob_get_clean(), $m), ' ', preg_replace('/[\d.]+/', 'N', $m[1] ?? ''), "\n";
$mine->release();
$reader = $lock(['shared' => true, 'token' => $other('reader')]);
$_ = $reader->acquire();
echo $task(), "\n";
ob_start();
var_dump($reader);
echo preg_match('/"(held as shared, [\d.]+ s left)"/', ob_get_clean()), "\n";
$reader->release();
$writer = $lock(['token' => $other('writer')]);
$_ = $writer->acquire();
echo $task(['shared' => true]), "\n", $task($three), "\n";
?>
--EXPECT--
lock "holders_messages": 3 of 3 permits are held, by nightly on HOST (process N), N s left unless renewed [true,true,true]
lock "holders_messages": 3 of 5 permits are held, by nightly on HOST (process N), N s left unless renewed [true,true,true]
lock "holders_messages": held by nightly on HOST (process N), N s left unless renewed [true,true,true]
lock "holders_messages": 1 of 3 permits are held, by nightly on HOST (process N), N s left unless renewed [true,true,true]
lock "holders_messages": held by this process itself; see "reentrant" [true,true,true]
1 held by permit, N s left
lock "holders_messages": held by reader on HOST (process N), N s left unless renewed [true,true,true]
1
lock "holders_messages": held by writer on HOST (process N), N s left unless renewed [true,true,true]
lock "holders_messages": held by writer on HOST (process N), N s left unless renewed [true,true,true]
