--TEST--
Options::from(): a RedisCluster, whose password has to be given, and Relay
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); require __DIR__ . '/../inc/tls.inc'; skip_unless_tls(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/client_options.inc';
load_adapters();

use RedisLock\Options;

$authority = new Authority;
$trust = ['cafile' => $authority->cafile];
foreach (['plain' => [], 'TLS' => ['--tls-cluster', 'yes', '--tls-replication', 'yes', ...$authority->arguments($authority->issue())]] as $what => $arguments) {
	$cluster = new Cluster(...$arguments);
	foreach ($cluster->nodes as $node) {
		$redis = $node->client();
		$redis('CONFIG', 'SET', 'masterauth', 'secret');
		$redis('CONFIG', 'SET', 'requirepass', 'secret');
	}
	$seeds = array_map(fn ($port) => "127.0.0.1:$port", $cluster->ports);
	$redis = new RedisCluster(null, $seeds, 5, 5, false, 'secret', ...$arguments === [] ? [] : [$trust]);
	$redis->setOption(RedisCluster::OPT_PREFIX, 'app:');
	refused(fn () => Options::from($redis));
	if ($arguments !== []) {
		refused(fn () => Options::from($redis, ['auth' => 'secret']));
	}
	$more = ['auth' => 'secret'] + ($arguments === [] ? [] : ['ssl' => $trust]);
	excludes($what, $redis, $more);
	show(array_diff_key(Options::from($redis, $more), ['ssl' => 0]));
	unreachable($redis, ['auth' => null] + $more);
}
--EXPECT--
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a RedisCluster that does not tell its password: give it as "auth", or null for none
plain: ok
{"password":"secret","cluster":[{"host":"127.0.0.1","port":"*"},{"host":"127.0.0.1","port":"*"},{"host":"127.0.0.1","port":"*"}],"scheme":"tcp","prefix":"app:"}
not reached
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a RedisCluster that does not tell its password: give it as "auth", or null for none
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a RedisCluster that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
TLS: ok
{"password":"secret","cluster":[{"host":"127.0.0.1","port":"*"},{"host":"127.0.0.1","port":"*"},{"host":"127.0.0.1","port":"*"}],"scheme":"tls","prefix":"app:"}
not reached
