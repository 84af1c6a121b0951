--TEST--
The end of a request releases a lock of several servers behind its acquisition, also where no time is left to ask
--EXTENSIONS--
posix
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';
require __DIR__ . '/../inc/fake_server.inc';
/* Executed after the release of the renewal child, the acquisition would keep the key for its ttl. */
$slow = new FakeServer("EXPECT SET end_unasked ...\nSAY asked\nEXPECT EVAL * 1 end_unasked ...\nSAY released behind it");
$servers = servers(2, false);
$hung = new Server;
$php = new Php('
	$options = ["ttl" => 3, "timeout" => 5, "read_timeout" => 5, "renew" => true];
	$lock = new RedisLock(["name" => "end_unasked", "servers" => array_slice($argv, 2)] + $options);
	$_ = $lock->acquire();
	for ($i = 1; $i <= 20; $i++) {
		$_ = ($last[$i] = new RedisLock(["name" => "end_unasked-$i", "unix_socket" => $argv[1]] + $options))->acquire();
	}
	echo "in\n";
	fgets(STDIN);
	unset($last); /* takes all the time that releases have */
	exit;
', [$hung->socket, ...array_map(fn ($server) => "unix:$server->socket", [...$servers, $slow])]);
$slow->await('asked');
$php->await('in');
$child = renewal_child($php->pid);
$hung->freeze();
$php->tell('go');
$slow->await('released behind it');
$hung->thaw();
echo json_encode($php->end()), "\n";
wait_until(fn () => !is_running($child)); /* for the ttl it tries to release on the slow server, too, which is gone */
echo where($servers, 'end_unasked'), "\n";
?>
--EXPECT--
{"exit":0}
..
