--TEST--
examples/shared.php: readers share, the writer waits for them, and later readers for the writer
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
putenv("REDIS_URL=unix:$server->socket");
$run = fn (string ...$arguments) =>
	new Php('require ' . var_export(dirname(__DIR__, 2) . '/examples/shared.php', true) . ';', $arguments);
$waits = fn (string ...$keys) => wait_until(fn () => count(array_filter($keys, fn ($key) => $redis('EXISTS', $key))) === count($keys));

foreach (['first', 'second'] as $name) {
	$readers[$name] = $run('read', '60');
	$readers[$name]->await("process {$readers[$name]->pid}: reads");
}
echo $redis('ZCARD', 'catalogue'), " share it\n";

/* Who waits first has the turnstile, who comes then waits at that. */
$writer = $run('write', '0');
$waits('{catalogue}:rlk:turn', '{catalogue}:rlk:waiters');
$late = $run('read', '0');
$waits('{catalogue}:rlk:turn:rlk:waiters');
$readers['first']->signal(SIGKILL);
wait_until(fn () => $redis('ZCARD', 'catalogue') === 1);
echo "one is killed, and nobody got in: ", $redis('TYPE', 'catalogue'), "\n";
$readers['second']->signal(SIGKILL);
echo str_replace($writer->pid, 'WRITER', $writer->rest()), str_replace($late->pid, 'LATE', $late->rest());
?>
--EXPECT--
2 share it
one is killed, and nobody got in: zset
process WRITER: writes
process WRITER: done
process LATE: reads
process LATE: done
