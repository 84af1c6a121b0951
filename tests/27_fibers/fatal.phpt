--TEST--
RedisLock::setPoller(): after a fatal error, what fibers were about to acquire is released
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';
require __DIR__ . '/../inc/quorum.inc';

$servers = servers(3, false);
$server = $servers[0];
$redis = $server->client();
/* A server that accepts, and says nothing. */
$silent = stream_socket_server('tcp://127.0.0.1:0');
$address = stream_socket_get_name($silent, false);
/* Nothing ever gets to it, so the renewal child, which cannot know, need not try for long. */
$patient = ['timeout' => 60, 'read_timeout' => 60, 'ttl' => 1];
$ways = ['queue' => $server->options(), 'replicas' => ['min_replicas' => 1, 'replica_timeout' => 60] + $server->options(),
	'request' => $server->options(), 'round' => ['servers' => addresses($servers, 60)],
	'Sentinel' => ['sentinels' => ["tcp://$address"], 'service' => 'm'] + $patient, 'Cluster' => ['cluster' => [$address]] + $patient];
$fatal = 'trigger_error("enough", E_USER_ERROR);';
$ends = ['error' => $fatal, 'memory' => 'ini_set("memory_limit", "8M"); str_repeat("x", 1 << 24);', 'exit' => 'exit(0);',
	/* In the copy they never go on, in the parent they do, where they can. */
	'error in a copy' => "if (pcntl_fork() === 0) { $fatal } pcntl_wait(\$status); echo \"copied\\n\"; fgets(STDIN) === \"go on\\n\" && \$loop->run();"];
foreach ($ends as $end => $code) {
	foreach ($ways as $way => $options) {
		$php = Php::program(__DIR__ . '/fatal.inc', [json_encode($options), json_encode($code)]);
		$php->await('ready');
		if (in_array($way, ['queue', 'replicas'], true)) {
			$way === 'queue' && $redis('SET', 'fatal', 'another');
			$php->tell('wait');
			wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:3'), 60);
		} else {
			array_map(fn (Server $server) => $server->freeze(), $servers);
			$php->tell('wait');
			$php->await('waiting');
		}
		$children = renewal_children($php->pid);
		$php->tell('end');
		if ($end === 'error in a copy') {
			$php->await('copied');
			array_map(fn (Server $server) => $server->thaw(), $servers);
			$way === 'queue' && $redis('DEL', 'fatal');
			$php->tell(in_array($way, ['replicas', 'Sentinel', 'Cluster'], true) ? 'end' : 'go on');
		}
		$said = $php->rest();
		array_map(fn (Server $server) => $server->thaw(), $servers);
		step("$way, $end", (bool) strpos($said, 'Fatal error'), json_encode($php->end()));
		$way === 'queue' && $redis('DEL', 'fatal');
		foreach ($servers as $each) {
			$client = $each->client();
			$client('PING'); /* by then the server has read what came before */
			wait_until(fn () => $client('EXISTS', 'fatal') === 0, 60);
			wait_until(fn () => str_contains($client('INFO', 'clients'), 'blocked_clients:0'), 60);
		}
		/* They would look for the servers until the ttl is over. */
		wait_until(fn () => array_filter($children, is_running(...)) === [], 60);
	}
}
?>
--EXPECT--
queue, error: true, '{"exit":255}'
replicas, error: true, '{"exit":255}'
request, error: true, '{"exit":255}'
round, error: true, '{"exit":255}'
Sentinel, error: true, '{"exit":255}'
Cluster, error: true, '{"exit":255}'
queue, memory: true, '{"exit":255}'
replicas, memory: true, '{"exit":255}'
request, memory: true, '{"exit":255}'
round, memory: true, '{"exit":255}'
Sentinel, memory: true, '{"exit":255}'
Cluster, memory: true, '{"exit":255}'
queue, exit: false, '{"exit":0}'
replicas, exit: false, '{"exit":0}'
request, exit: false, '{"exit":0}'
round, exit: false, '{"exit":0}'
Sentinel, exit: false, '{"exit":0}'
Cluster, exit: false, '{"exit":0}'
queue, error in a copy: false, '{"exit":0}'
replicas, error in a copy: false, '{"exit":0}'
request, error in a copy: false, '{"exit":0}'
round, error in a copy: false, '{"exit":0}'
Sentinel, error in a copy: false, '{"exit":0}'
Cluster, error in a copy: false, '{"exit":0}'
