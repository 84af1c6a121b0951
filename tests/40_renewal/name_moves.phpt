--TEST--
A host name that moves to another address during a hold: the renewal child follows
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
require __DIR__ . '/../inc/mounts.inc';
if (mounts_of_its_own() === null) {
	die('skip needs root and mount namespaces, to have a hosts file of its own');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/mounts.inc';
$name = 'moving-' . getmypid() . '.test';
$old = new Server(true);
$new = new Server(true, '--bind', '127.0.0.2', '--port', (string) $old->port);
$hosts = "$old->dir/hosts";
file_put_contents($hosts, "127.0.0.1 localhost\n127.0.0.1 $name\n");

/* The holder sees our hosts file in place of the system's. */
$script = "$old->dir/holder.php";
file_put_contents($script, <<<'CODE'
	<?php
	SequenceTask::execute(['host' => $argv[1], 'port' => $argv[2], 'name' => 'name_moves', 'ttl' => 20, 'interval' => 0.2],
		function ($lock) {
			echo $lock->getToken(), "\n";
			while (!file_exists(__DIR__ . '/end')) {
				usleep(1000);
			}
			var_dump($lock->isHeld());
		});
	CODE);
$command = implode(' ', array_map(escapeshellarg(...), [...Php::command(), $script, $name, $old->port]));
$holder = proc_open([...mounts_of_its_own(), 'sh', '-c', "mount --bind $hosts /etc/hosts && exec $command"],
	[['pipe', 'r'], ['pipe', 'w']], $pipes);
$token = rtrim(fgets($pipes[1]));

/* What a failover does: the key is on the new server as well, the old one is gone, the name points to the new one. */
$redis = $new->client();
$redis('SET', 'name_moves', $token, 'PX', 10000);
$old->freeze();
$old->kill();
file_put_contents($hosts, "127.0.0.1 localhost\n127.0.0.2 $name\n");
$moved = now();
/* Only a renewal can lengthen it again. */
var_dump(comes_true(fn () => now() > $moved + 1 && $redis('PTTL', 'name_moves') > 15000));
touch("$old->dir/end");
echo stream_get_contents($pipes[1]);
proc_close($holder);
var_dump($redis('EXISTS', 'name_moves'));
?>
--EXPECT--
bool(true)
bool(true)
int(0)
