--TEST--
examples/package: metrics for Prometheus, several names, and locks of one machine
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$server = new Server();
$redis = $server->client();
putenv("REDIS_URL=unix:$server->socket");
/* What an application has as vendor/autoload.php. */
file_put_contents($autoload = "$server->dir/autoload.inc", '<?php require_once ' . var_export(dirname(__DIR__) . '/inc/adapters.inc', true) . '; load_adapters();');
putenv("COMPOSER_AUTOLOAD=$autoload");
$run = fn (string $example, string ...$arguments) => Php::program(dirname(__DIR__, 2) . "/examples/package/$example.php", $arguments);

echo "-- metrics\n";
$redis('SET', 'mails', 'somebody', 'PX', '60000');
$worker = $run('metrics', '127.0.0.1:' . $port = Server::freePort());
$worker->await('another worker sends');
$redis('DEL', 'mails');
$worker->await('sent');
$response = fopen("http://127.0.0.1:$port/metrics", 'r');
$numbers = stream_get_contents($response);
echo implode("\n", array_filter(stream_get_meta_data($response)['wrapper_data'], fn ($line) => !str_starts_with($line, 'Connection'))), "\n";
foreach (['acquired_total', 'refused_total', 'wait_seconds_count'] as $metric) {
	preg_match("/^redislock_$metric\{server=\"unix:[^\"]*\",worker=\"mails\",pid=\"$worker->pid\"\} (\d+)$/m", $numbers, $found);
	echo "$metric: ", json_encode(($found[1] ?? 0) > 0), "\n";
}
$worker->signal(SIGKILL);
$worker->end();

echo "-- transfer\n";
$first = $run('transfer', 'alice', 'bob', '0.3');
$first->await('from alice to bob');
$second = $run('transfer', 'bob', 'alice', '0');
echo $first->rest(), $second->rest(), $redis('EXISTS', 'account:alice', 'account:bob'), "\n";

echo "-- one_machine\n";
$first = $run('one_machine', '60', "$server->dir/locks");
$first->await('making thumbnails');
echo str_replace($first->pid, 'FIRST', $run('one_machine', '0', "$server->dir/locks")->rest());
$first->signal(SIGKILL);
$first->end();
echo $run('one_machine', '0', "$server->dir/locks")->rest();
echo json_encode(rmdir("$server->dir/locks")), "\n";
unlink($autoload);
?>
--EXPECT--
-- metrics
HTTP/1.0 200 OK
Content-Type: text/plain; version=0.0.4; charset=utf-8
acquired_total: true
refused_total: true
wait_seconds_count: true
-- transfer
booked
from bob to alice
booked
0
-- one_machine
process FIRST makes them already
making thumbnails
made
true
