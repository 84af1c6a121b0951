--TEST--
A connection that breaks when the SET has run and its answer has not come: the key is freed over another one
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$server = new Server();
$redis = $server->client();
/* Passes requests on. Of what answers a SET, or of a script, that it sees for the first time it
 * keeps all but some bytes, and hangs up. */
$proxy = new Php(<<<'CODE'
	$listener = stream_socket_server("unix://$argv[1]");
	echo "listening\n";
	for ($broken = [];;) {
		$client = stream_socket_accept($listener, -1);
		$server = stream_socket_client("unix://$argv[2]");
		while ($request = fread($client, 65536)) {
			fwrite($server, $request);
			$reply = fread($server, 65536);
			if (preg_match('/broken_after_set:(\d)/', $request, $m) && !isset($broken[$m[1]])) {
				$broken[$m[1]] = true;
				fwrite($client, substr($reply, 0, (int) $m[1]));
				break;
			}
			fwrite($client, $reply);
		}
		fclose($client);
		fclose($server);
	}
	CODE, [$path = "$server->dir/proxy", $server->socket]);
$proxy->await('listening');
foreach ([['name' => 'broken_after_set:0'], ['name' => 'broken_after_set:1', 'fence' => true], ['name' => 'broken_after_set:2']] as $options) {
	$lock = new RedisLock($options + ['path' => $path]);
	echo preg_replace('/ \(unix.*/', '', outcome(fn () => $lock->acquire())), "\n";
	var_dump($lock->isHeld(), comes_true(fn () => $redis('EXISTS', $options['name']) === 0, 3), $lock->acquire(), $lock->release());
}
?>
--EXPECT--
RedisLock\ConnectionException: lock "broken_after_set:0": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
RedisLock\ConnectionException: lock "broken_after_set:1": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
RedisLock\ConnectionException: lock "broken_after_set:2": the server closed the connection
bool(false)
bool(true)
bool(true)
bool(true)
