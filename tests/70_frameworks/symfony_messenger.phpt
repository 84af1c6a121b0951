--TEST--
Symfony: Messenger drops what waits already, and messenger:consume, killed in the middle of a message, blocks nobody
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require_once __DIR__ . '/../inc/timing.inc';

use Symfony\Component\Messenger\Stamp\DeduplicateStamp;

$server = new Server;
$redis = $server->client();
/* What the bundle of an application puts together; its queue is a list on the server. */
$application = 'require_once ' . var_export(vendor_autoload(), true) . ';' . code_of(__DIR__ . '/symfony_messenger_app.inc');
eval($application);
[$bus] = services($server->socket);
$consume = fn (int $limit = 1) => new Php($application . <<<'CODE'
	[$bus, $receivers] = services($argv[1]);
	$console = new Symfony\Component\Console\Application;
	$console->addCommands([new Symfony\Component\Messenger\Command\ConsumeMessagesCommand(
		new RoutableMessageBus(new Services([]), $bus), $receivers, new EventDispatcher)]);
	$console->run(new Symfony\Component\Console\Input\ArrayInput(['messenger:consume', 'receivers' => ['queue'],
		'--limit' => $argv[2], '--sleep' => 0.01, '-q' => true]));
	CODE, [$server->socket, (string) $limit]);
$dispatch = function (string $name, bool $in_queue_only = false) use ($bus, $redis): int {
	$before = $redis('LLEN', 'queue');
	$bus->dispatch(new Report($name), [new DeduplicateStamp("report:$name", 60, $in_queue_only)]);
	return $redis('LLEN', 'queue') - $before;
};

echo "-- dropped while one waits, and while it is handled; then accepted\n";
echo json_encode([$dispatch('a'), $dispatch('a'), $dispatch('b'), $redis('PTTL', 'report:a') > 50_000]), "\n";
$worker = $consume(2);
$worker->await('a begins');
echo json_encode([$dispatch('a'), $dispatch('a', true)]), "\n";
$worker->tell('go');
$worker->await('b begins');
echo json_encode([$redis('EXISTS', 'report:a'), $dispatch('a')]), "\n";
$worker->tell('go');
echo $worker->rest(), $redis('EXISTS', 'report:b'), "\n";

echo "-- while it waits only\n";
$redis('DEL', 'queue', 'report:a');
echo json_encode([$dispatch('a', true), $dispatch('a', true)]), "\n";
$worker = $consume();
$worker->await('a begins');
echo json_encode([$dispatch('a', true), $dispatch('a', true)]), "\n";
$worker->tell('go');
$worker->end();

echo "-- killed: the lease of the message stays, the lock of its handler does not\n";
$killed = $consume();
$killed->await('a begins');
$next = $consume();
$dispatch('b');
wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
$killed->signal(SIGKILL);
$at = now();
$next->await('b begins');
expect_taken('the next begins after', $at, 0, 1);
echo json_encode([$redis('TTL', 'writing') > 50]), "\n";
$next->tell('go');
$next->end();
echo json_encode([$redis('EXISTS', 'writing', 'report:a', 'report:b')]), "\n";
?>
--EXPECT--
-- dropped while one waits, and while it is handled; then accepted
[1,0,1,true]
[0,0]
[0,1]
b ends
0
-- while it waits only
[1,0]
[1,0]
-- killed: the lease of the message stays, the lock of its handler does not
the next begins after: ok
[true]
[0]
