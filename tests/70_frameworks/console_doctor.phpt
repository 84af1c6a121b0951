--TEST--
redislock doctor: each thing that it finds of a server, on one set up for it
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/console.inc'; skip_unless_console(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/doctor.inc';

$server = new Server;
$shown = new Run([...redislock_command(), 'doctor', '--ttl=3000', ...at_server($server)], true);
found('healthy', examine(at_server($server)));
[$status, $last] = server_is_before('6.2') ? [1, 'That is what was found of 1 server and this process.'] : [0, 'No problem of 1 server and this process.'];
echo $shown->end() === $status && str_contains($shown->out, 'NOTE') && str_contains($shown->out, $last) ? 'in a terminal' : $shown->out, "\n";
$evicts = new Server(false, '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
$keeps = new Server(false, '--appendonly', 'yes');
$runs = array_map(examine(...), [at_server($evicts), at_server($keeps)]);
found('eviction', $runs[0]);
$runs[1]->end();
echo 'persistence: ', json_encode(str_contains($runs[0]->out, '"persistence"')), ', and where all is kept: ', json_encode(str_contains($runs[1]->out, '"persistence"')), "\n";

$liars = $steps = [];
foreach (['version', 'late'] as $lie) {
	$liars[] = $liar = Php::program(__DIR__ . '/console_doctor.inc', [$socket = "$server->dir/$lie", $server->socket, $lie]);
	$liar->await('ready');
	$steps[$lie] = ['--server', "unix:$socket", ...($lie === 'late' ? ['--ttl', '0.5'] : [])];
}
examine_all($steps);
$liars = [];

$full = new Server(false, '--maxclients', '20');
$clients = array_map(fn () => $full->client(), range(1, 15));
found('maxclients', examine(at_server($full)));
$clients = [];
$copy = new Server(true, '--replicaof', '127.0.0.1', '1');
$cluster = new Server(true, '--cluster-enabled', 'yes', '--cluster-config-file', 'nodes', '--cluster-require-full-coverage', 'no');
$cluster->client()('CLUSTER', 'ADDSLOTS', ...range(0, 99));
wait_until(fn () => str_contains($cluster->client()('CLUSTER', 'INFO'), 'cluster_state:ok'));
examine_all([
	'replicas' => at_server($server, 'min_replicas=1'),
	'a replica' => ['--server', "redis://127.0.0.1:$copy->port"],
	'coverage' => ['--server', "redis://127.0.0.1:$cluster->port?redis_cluster=1"],
], 'lock');

echo "-- several\n";
examine_all([
	'one is away' => [...at_server($server, 'read_timeout=20'), '--server', 'unix:/nonexistent', ...at_server($keeps, 'read_timeout=20')],
	'all are away' => ['--server', 'unix:/nonexistent'],
]);
?>
--EXPECTF--
healthy: 0
in a terminal
eviction: 1
	eviction (problem): maxmemory-policy is allkeys-lru
persistence: true, and where all is kept: false
version: 1
	version (problem): this is version 5.%s
late: 1
	latency (problem): it took up to %d ms to answer
maxclients: 1
	maxclients (problem): %d of 20 connections are in use
replicas: 1
	replicas (problem): 0 of 1 replicas are there
a replica: 1
	replica (problem): this is a replica
coverage: 1
	replicas (problem): 0 of 1 replicas are there
	coverage (problem): 100 of 16384 slots have a server
-- several
one is away: 1
	away (problem): 2 of 3 servers can be reached
all are away: 69
	redislock: unix:///nonexistent: No such file or directory
