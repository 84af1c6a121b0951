--TEST--
RedisLock::setPoller(): a fatal error in the poller ends the script, whichever method waits
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3, false);
$server = $servers[0];
$redis = $server->client();
$methods = [
	'acquire' => '$_ = $free->acquire();',
	'upgrade' => '$_ = $shared->upgrade();',
	'downgrade' => '$_ = $held->downgrade();',
	'keepAlive' => '$_ = $held->keepAlive();',
	'isAcquired' => '$held->isAcquired();',
	'holder' => '$held->holder();',
	'holders' => '$held->holders();',
	'release' => '$held->release();',
	'forceRelease' => '$held->forceRelease();',
	'lock' => '$free->lock("fatal_poller:lock");',
	'unlock' => '$held->unlock("fatal_poller:second");',
	'synchronized' => '$free->synchronized(fn () => 0);',
	'execute' => 'SequenceTask::execute($options, fn () => 0);',
	'RedLock::lock' => '$redlock->lock("fatal_poller:redlock", 10000);',
	'RedLock::extend' => '$redlock->extend($made, 10000);',
	'RedLock::extend, by another' => '$another->extend($made, 10000);',
	'RedLock::extend, by another without a ttl' => '$another->extend($made);',
	'RedLock::unlock' => '$redlock->unlock($made);',
	'RedLock::unlock, by another' => '$another->unlock($made);',
];
foreach ($methods as $method => $code) {
	$php = new Php('[$options, $servers] = unserialize($argv[1]);
		$free = new RedisLock($options);
		$held = new RedisLock(["name" => "fatal_poller:held"] + $options);
		$shared = new RedisLock(["name" => "fatal_poller:shared", "shared" => true] + $options);
		$_ = $held->acquire() && $shared->acquire();
		$_ = $held->lock("fatal_poller:second");
		$redlock = new RedisLock\RedLock($servers);
		$another = new RedisLock\RedLock($servers);
		$made = $redlock->lock("fatal_poller:made", 10000);
		echo "ready\n";
		fgets(STDIN);
		RedisLock::setPoller(fn () => trigger_error("in the poller", E_USER_ERROR));
		(new Fiber(function () use ($options, $free, $held, $shared, $redlock, $another, $made) { ' . $code . ' echo "went on\n"; }))->start();
		echo "main went on\n";', [serialize([$server->options(['name' => 'fatal_poller']), addresses($servers)])], ['fatal_error_backtraces=0']);
	$php->await('ready');
	array_map(fn (Server $each) => $each->freeze(), $servers);
	$php->tell('go on');
	preg_match_all('/Fatal error: in the poller|went on|Uncaught.*/', $php->rest(), $said);
	step($method, implode(', ', $said[0]), ...$php->end());
	foreach ($servers as $each) {
		$each->thaw();
		$each->client()('FLUSHALL');
	}
}
?>
--EXPECT--
acquire: 'Fatal error: in the poller', 255
upgrade: 'Fatal error: in the poller', 255
downgrade: 'Fatal error: in the poller', 255
keepAlive: 'Fatal error: in the poller', 255
isAcquired: 'Fatal error: in the poller', 255
holder: 'Fatal error: in the poller', 255
holders: 'Fatal error: in the poller', 255
release: 'Fatal error: in the poller', 255
forceRelease: 'Fatal error: in the poller', 255
lock: 'Fatal error: in the poller', 255
unlock: 'Fatal error: in the poller', 255
synchronized: 'Fatal error: in the poller', 255
execute: 'Fatal error: in the poller', 255
RedLock::lock: 'Fatal error: in the poller', 255
RedLock::extend: 'Fatal error: in the poller', 255
RedLock::extend, by another: 'Fatal error: in the poller', 255
RedLock::extend, by another without a ttl: 'Fatal error: in the poller', 255
RedLock::unlock: 'Fatal error: in the poller', 255
RedLock::unlock, by another: 'Fatal error: in the poller', 255
