--TEST--
Every spelling of the timeouts and retries, and the php.ini settings, by the time a call takes
--EXTENSIONS--
redislock
posix
--FILE--
<?php
require_once __DIR__ . '/../inc/timing.inc';
require __DIR__ . '/../inc/outcome.inc';
/* Takes connections and never says a word: a SELECT belongs to connecting, a SET is a request. */
$path = sys_get_temp_dir() . '/times-' . getmypid();
$silent = stream_socket_server("unix://$path");
register_shutdown_function(fn () => @unlink($path));
$rows = [];
foreach (['timeout', 'connectionTimeout', 'connect_timeout', 'connectTimeout'] as $key) {
	$rows[] = [['path' => $path, 'database' => 1, $key => 0.1, 'read_timeout' => 5], 0.1];
}
foreach (['read_write_timeout', 'read_timeout', 'dataTimeout', 'readTimeout'] as $key) {
	$rows[] = [['path' => $path, $key => '0.1', 'timeout' => 5], 0.1];
}
ini_set('redislock.connect_timeout', '0.12');
$rows[] = [['path' => $path, 'database' => 1, 'timeout' => 0], 0.12];
$rows[] = [['path' => $path, 'database' => 1, 'timeout' => '-1'], 0.12];
ini_set('redislock.io_timeout', '0.2');
$rows[] = [['path' => $path, 'read_write_timeout' => -1], 0.2];
$rows[] = [['path' => $path, 'read_timeout' => 0.0], 0.2];
/* Nobody listens there: each try fails at once, and there is a pause before each but the first. */
foreach ([['retries' => 2, 'retry_interval' => 50], ['max_retries' => '2', 'retryInterval' => 50000],
	['retries' => 1]] as $retry) {
	$rows[] = [['path' => "$path-nobody"] + $retry, 0.1];
}
$rows[] = [['path' => "$path-nobody", 'retry_interval' => 3000], 0];
foreach ($rows as [$params, $limit]) {
	$start = now();
	try {
		$_ = (new RedisLock($params, ['name' => 'times']))->acquire();
		$took = INF;
	} catch (RedisLock\ConnectionException) {
		$took = taken($start, null, $limit);
	}
	if ($took < $limit - 0.002 || $took > $limit + 0.03) {
		echo json_encode($params), " $limit: $took\n";
	}
}
echo "done\n";
?>
--EXPECT--
done
