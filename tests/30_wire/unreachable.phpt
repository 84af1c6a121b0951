--TEST--
An unreachable server: an exception that names it, at once or within the time limit
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
function attempt(array $params): void
{
	$lock = new RedisLock($params, ['name' => 'unreachable', 'timeout' => 0.3]);
	foreach (['acquire', 'holder', 'forceRelease'] as $method) {
		$start = now();
		try {
			$_ = $lock->$method();
		} catch (RedisLock\ConnectionException $e) {
			echo $e->getMessage(), ' ', $e->getNode() !== null && str_contains($e->getMessage(), $e->getNode()) ?
				'node' : 'no node',
				$e->isRetryable() ? ', retryable' : '', "\n";
		}
		expect_between('time', now() - $start, 0, 0.3 + 5);
	}
	var_dump($lock->isHeld(), $lock->release());
}
attempt(['host' => '127.0.0.1', 'port' => Server::freePort()]);
attempt(['unix_socket' => sys_get_temp_dir() . '/unreachable-' . getmypid()]);
attempt(['host' => 'nobody.invalid']);
?>
--EXPECTF--
lock "unreachable": cannot connect: Connection refused (tcp://127.0.0.1:%d) node, retryable
time: ok
lock "unreachable": cannot connect: Connection refused (tcp://127.0.0.1:%d) node, retryable
time: ok
lock "unreachable": cannot connect: Connection refused (tcp://127.0.0.1:%d) node, retryable
time: ok
bool(false)
bool(false)
lock "unreachable": cannot connect: No such file or directory (unix://%s/unreachable-%d) node, retryable
time: ok
lock "unreachable": cannot connect: No such file or directory (unix://%s/unreachable-%d) node, retryable
time: ok
lock "unreachable": cannot connect: No such file or directory (unix://%s/unreachable-%d) node, retryable
time: ok
bool(false)
bool(false)
lock "unreachable": %s (tcp://nobody.invalid:6379) node%S
time: ok
lock "unreachable": %s (tcp://nobody.invalid:6379) node%S
time: ok
lock "unreachable": %s (tcp://nobody.invalid:6379) node%S
time: ok
bool(false)
bool(false)
