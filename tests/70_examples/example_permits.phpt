--TEST--
examples/permits.php: three work, and a killed one gives its permit to the next in the queue
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
putenv("REDIS_URL=unix:$server->socket");
$run = fn (string ...$arguments) =>
	new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/permits.php', true) . ';', $arguments);

for ($i = 0; $i < 3; $i++) {
	$workers[] = $worker = $run('60');
	$worker->await("process $worker->pid: has a permit");
}
$refused = $run('60', '0');
$pids = array_column($workers, 'pid');
sort($pids);
var_dump($refused->rest() === "process $refused->pid: no permit, held by process " . implode(', ', $pids) . "\n");
echo json_encode($refused->end()), "\n";

$next = $run('0');
wait_until(fn () => (new RedisLock(['url' => "unix:$server->socket", 'name' => 'slow-api']))->holder()['waited']);
$workers[1]->signal(SIGKILL);
echo str_replace($next->pid, 'NEXT', $next->rest()), $server->client()('ZCARD', 'slow-api'), "\n";
foreach ($workers as $worker) {
	$worker->signal(SIGKILL);
}
wait_until(fn () => !$server->client()('EXISTS', 'slow-api'));
?>
--EXPECT--
bool(true)
{"exit":75}
process NEXT: has a permit
process NEXT: done
2
