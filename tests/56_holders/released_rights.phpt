--TEST--
permits, shared: a release by a user who may not wake, or in a Cluster, keeps its connection
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/cluster.inc';

/** Each object releases first beside another holder: by ZREM, and a script for the expiry and for those who wait. */
function released(array $options): void
{
	foreach ([['permits' => 3], ['shared' => true]] as $kind) {
		$other = new RedisLock($options, $kind);
		$_ = $other->acquire();
		$lock = new RedisLock($options, $kind);
		$said = [$lock->acquire(), $lock->release(), $lock->acquire(), $lock->release(), $other->isAcquired(), $other->release()];
		step(json_encode($kind), ...[...$said, RedisLock\stats()['reconnects']]);
	}
}

$server = new Server();
$redis = $server->client();
$redis('ACL', 'SETUSER', 'ann', 'on', '>secret', '+@all', '~*');
released($server->options(['name' => 'released_rights', 'user' => 'ann', 'password' => 'secret']));

$cluster = new Cluster();
released($cluster->options(['name' => 'released_rights']));
?>
--EXPECT--
{"permits":3}: true, true, true, true, true, true, 0
{"shared":true}: true, true, true, true, true, true, 0
{"permits":3}: true, true, true, true, true, true, 0
{"shared":true}: true, true, true, true, true, true, 0
