--TEST--
Cluster: a SET that was lost with its server is released by the child when an exception has ended the wait
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
require __DIR__ . '/../inc/fake_server.inc';

$died = new FakeServer('
	EXPECT SET lost_set_interrupted * NX PX 60000
	GONE
	CLOSE', $port = Server::freePort());
$second = Server::freePort();
$options = ['cluster' => ["127.0.0.1:$port", "127.0.0.1:$second"], 'name' => 'lost_set_interrupted',
	'ttl' => 60, 'renew' => true];
$php = new Php('pcntl_async_signals(true);
	pcntl_signal(SIGUSR2, fn () => throw new DomainException("enough"));
	$lock = new RedisLock(unserialize($argv[1]));
	try {
		$_ = $lock->acquire(30);
	} catch (DomainException $e) {
		echo "ended: ", $e->getMessage(), "\n";
	}
	fgets(STDIN);', [serialize($options)]);
echo $died->verdict();
$php->signal(SIGUSR2);
$php->await('ended: enough');
$takes_over = new FakeServer('
	EXPECT EVAL * 3 lost_set_interrupted {lost_set_interrupted}:rlk:waiters {lost_set_interrupted}:rlk:signal *
	SEND :1', $second);
echo $takes_over->verdict();
$php->tell('go');
echo $php->rest();
?>
--EXPECT--
played
played
