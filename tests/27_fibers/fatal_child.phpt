--TEST--
RedisLock::setPoller(): after a fatal error, the renewal child, connected long before, does not release before the SET
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3, false);
/* What has come over the child's connection is read before what came over the newer one of the fiber. */
foreach (['one' => $servers[0]->options(['timeout' => 60, 'read_timeout' => 60]), 'several' => ['servers' => addresses($servers, 60)]] as $what => $options) {
	foreach (range(1, 5) as $_) {
		$php = Php::program(__DIR__ . '/fatal.inc', [json_encode($options), json_encode('trigger_error("enough", E_USER_ERROR);'), 'fatal_child']);
		$php->await('ready');
		array_map(fn (Server $server) => $server->freeze(), $servers);
		$php->tell('wait');
		$php->await('waiting');
		$children = renewal_children($php->pid);
		$php->tell('end');
		$php->rest();
		$php->end();
		array_map(fn (Server $server) => $server->thaw(), $servers);
		foreach ($servers as $server) {
			$redis = $server->client();
			$redis('PING'); /* by then the server has read what came before */
			wait_until(fn () => $redis('EXISTS', 'fatal', 'fatal_child') === 0, 60);
		}
		/* They would look for the servers until the ttl is over. */
		wait_until(fn () => array_filter($children, is_running(...)) === [], 60);
	}
	echo "$what: nothing is left\n";
}
?>
--EXPECT--
one: nothing is left
several: nothing is left
