--TEST--
RedisLock::setPoller(): after a fatal error, what fibers were about to acquire is released
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

$server = new Server;
$redis = $server->client();
foreach (['trigger_error("enough", E_USER_ERROR);', 'ini_set("memory_limit", "8M"); str_repeat("x", 1 << 24);', 'exit(0);'] as $end) {
	foreach (['queue', 'request'] as $way) {
		$php = Php::program(__DIR__ . '/fatal.inc', [$server->socket, $end]);
		$php->await('ready');
		if ($way === 'queue') {
			$redis('SET', 'fatal', 'another');
			$php->tell('wait');
			wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:3'));
		} else {
			$server->freeze();
			$php->tell('wait');
			$php->await('waiting');
		}
		$php->tell('end');
		$said = $php->rest();
		$server->thaw();
		step("$way, $end", (bool) strpos($said, 'Fatal error'), $php->end()['exit']);
		$redis('DEL', 'fatal');
		$redis('PING'); /* by then the server has read what came before */
		wait_until(fn () => $redis('EXISTS', 'fatal') === 0 && str_contains($redis('INFO', 'clients'), 'blocked_clients:0'));
	}
}
?>
--EXPECT--
queue, trigger_error("enough", E_USER_ERROR);: true, 255
request, trigger_error("enough", E_USER_ERROR);: true, 255
queue, ini_set("memory_limit", "8M"); str_repeat("x", 1 << 24);: true, 255
request, ini_set("memory_limit", "8M"); str_repeat("x", 1 << 24);: true, 255
queue, exit(0);: false, 0
request, exit(0);: false, 0
