--TEST--
SequenceTask::execute(): a copy forked in the callable releases nothing, however it ends
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
$ends = [
	'exit' => fn () => exit(0),
	'exception' => fn () => throw new DomainException('in the copy'),
	'fatal error' => fn () => eval('class Broken { function f(); }'),
	'killed' => fn () => posix_kill(getmypid(), SIGKILL),
	'return' => fn () => 'a result of the copy',
];
foreach ($ends as $name => $code) {
	$result = null;
	ob_start();
	try {
		$config = $s->options(['name' => 'forked_in_callable', 'ttl' => 30]);
		$result = SequenceTask::execute($config, function (RedisLock $lock) use ($code, $redis, &$pid) {
			$pid = pcntl_fork();
			if ($pid === 0) {
				ini_set('display_errors', '0');
				return $code();
			}
			pcntl_waitpid($pid, $status);
			return [$lock->isHeld(), $lock->isAcquired(), $redis('EXISTS', 'forked_in_callable')];
		});
	} catch (RedisLock\LockLostException $e) {
		/* Only the copy comes here, and has to end without a word to our server. */
		file_put_contents("$s->dir/copy", json_encode([$e->getMessage(), $e->getResult()]));
	} catch (DomainException) {
	}
	if ($pid === 0) {
		posix_kill(getmypid(), SIGKILL);
	}
	ob_end_clean();
	echo "$name: ", json_encode($result), ' then ', $redis('EXISTS', 'forked_in_callable'), "\n";
}
echo file_get_contents("$s->dir/copy"), "\n";
--EXPECT--
exit: [true,true,1] then 0
exception: [true,true,1] then 0
fatal error: [true,true,1] then 0
killed: [true,true,1] then 0
return: [true,true,1] then 0
["lock \"forked_in_callable\" was lost: this is a forked copy of the process that holds it","a result of the copy"]
