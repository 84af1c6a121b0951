--TEST--
SequenceTask::execute(): a fiber that is destroyed, and an exception of the poller, while the run's end waits for the server
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
$redis = $server->client();
set_error_handler(fn (int $level, string $message) => print("warned: $message\n"));
RedisLock::setPoller(fn () => Fiber::suspend());
$options = $server->options(['name' => 'ends_in_release', 'ttl' => 60]);
$run = function (callable $execute) use ($server, &$ran) {
	try {
		echo $execute(function () use ($server, &$ran) {
			$server->freeze();
			$ran = true;
			return 'done';
		}), "\n";
	} catch (Exception $e) {
		echo get_class($e), ': ', $e->getMessage(), ', previous: ', get_debug_type($e->getPrevious()), "\n";
	} finally {
		echo "finally\n";
	}
	echo "goes on\n";
};
$methods = ['execute()' => fn (callable $code) => SequenceTask::execute($options, $code),
	'synchronized()' => fn (callable $code) => (new RedisLock($options))->synchronized($code)];
foreach ($methods as $method => $execute) {
	foreach (['destroyed', 'thrown'] as $end) {
		echo "$method, $end\n";
		$fiber = new Fiber($run);
		$ran = false;
		for ($fiber->start($execute); !$ran;) {
			$fiber->resume(); /* acquiring may wait, too */
		}
		$end === 'thrown' && $fiber->throw(new DomainException('cancelled'));
		unset($fiber);
		$server->thaw();
		wait_until(fn () => $redis('EXISTS', 'ends_in_release') === 0);
	}
}
?>
--EXPECT--
execute(), destroyed
finally
execute(), thrown
DomainException: cancelled, previous: RedisLock\Exception
finally
goes on
synchronized(), destroyed
finally
synchronized(), thrown
DomainException: cancelled, previous: RedisLock\Exception
finally
goes on
