--TEST--
redislock doctor: each thing that it finds, on a server set up for it
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
require __DIR__ . '/../inc/container.inc';
require __DIR__ . '/../inc/ext.inc';
skip_unless_console();
skip_unless_container();
skip_unless_compiler();
?>
--FILE--
<?php
require __DIR__ . '/../inc/console.inc';

/** Starts it. No machine is so slow that a server takes a tenth of this ttl, unless there is another. */
function examine(array $arguments, array $settings = [], array $before = []): Run
{
	$run = new Run([...$before, ...redislock_command(...$settings), 'doctor', '--json', '--ttl=3000', ...$arguments]);
	$run->hangUp();
	return $run;
}

function doctor(string $step, array $arguments, array $settings = [], array $before = [], string ...$without): void
{
	found($step, examine($arguments, $settings, $before), ...$without);
}

/** What it finds. "persistence" is left out: the servers of the tests keep nothing. */
function found(string $step, Run $run, string ...$without): void
{
	$status = $run->end();
	$rows = array_map(fn ($line) => json_decode($line, true), array_filter(explode("\n", trim($run->out))));
	$found = array_map(fn ($row) => $row === null ? '?' : "$row[check] ($row[level]): $row[found]", $rows);
	$found = array_filter($found, fn ($text) => !preg_match('/^(persistence|' . implode('|', $without ?: ['-']) . ')/', $text));
	echo "$step: $status\n", implode('', array_map(fn ($text) => "\t$text\n", $found));
	echo $run->err === '' ? '' : "\t" . trim($run->err) . "\n";
}

$server = new Server;
$redis = $server->client();
$at = fn (Server $server, string $query = ''): array => ['--server', "unix:$server->socket" . ($query === '' ? '' : "?$query")];

doctor('healthy', $at($server));
$run = new Run([...redislock_command(), 'doctor', ...$at($server)], true);
echo $run->end(), ' ', str_contains($run->out, 'NOTE') && str_contains($run->out, 'No problem of 1 server and this process.') ? 'in a terminal' : $run->out, "\n";
$evicts = new Server(false, '--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru');
doctor('eviction', $at($evicts));
$run = new Run([...redislock_command(), 'doctor', '--json', ...$at($evicts)]);
$run->end();
echo "persistence: ", json_encode(str_contains($run->out, '"persistence"')), ', and where all is kept: ';
$keeps = new Server(false, '--appendonly', 'yes');
$run = new Run([...redislock_command(), 'doctor', '--json', ...$at($keeps)]);
$run->end();
echo json_encode(str_contains($run->out, '"persistence"')), "\n";

foreach (['version', 'clock', 'late'] as $lie) {
	$liar = Php::program(__DIR__ . '/console_doctor.inc', [$socket = "$server->dir/$lie", $server->socket, $lie]);
	$liar->await('ready');
	doctor($lie, ['--server', "unix:$socket", '--ttl', '0.5']);
	$liar = null;
}

$full = new Server(false, '--maxclients', '20');
$clients = array_map(fn () => $full->client(), range(1, 15));
doctor('maxclients', $at($full));
$clients = [];
doctor('replicas', $at($server, 'min_replicas=1'), [], [], 'lock');
$copy = new Server(true, '--replicaof', '127.0.0.1', '1');
doctor('a replica', ['--server', "redis://127.0.0.1:$copy->port"], [], [], 'lock');
$cluster = new Server(true, '--cluster-enabled', 'yes', '--cluster-config-file', 'nodes', '--cluster-require-full-coverage', 'no');
$cluster->client()('CLUSTER', 'ADDSLOTSRANGE', '0', '99');
wait_until(fn () => str_contains($cluster->client()('CLUSTER', 'INFO'), 'cluster_state:ok'));
doctor('coverage', ['--server', "redis://127.0.0.1:$cluster->port?redis_cluster=1"], [], [], 'lock');

echo "-- rights\n";
$rights = '+set +get +del +exists +incr +pexpire +persist +pttl +lpush +lindex +lset +copy +blpop +type +eval +evalsha +select +client|setname +hello +client|tracking';
$redis('ACL', 'SETUSER', 'all', 'on', '>p', '~app:*', '-@all', ...explode(' ', $rights));
doctor('those of the manual', $at($server, 'username=all&password=p&prefix=app:'));
$runs = [];
foreach (array_slice(explode(' ', $rights), 0, 16) as $i => $right) {
	$redis('ACL', 'SETUSER', "less$i", 'on', '>p', '~app:*', '-@all', ...array_diff(explode(' ', $rights), [$right]));
	$runs["without $right"] = examine($at($server, "username=less$i&password=p&prefix=app:"));
}
foreach ($runs as $step => $run) {
	found($step, $run, 'unseen', 'lock', 'rights \(note');
}
echo "-- rights for permits\n";
$permits = ' +time +zadd +pexpireat +zscore +zcard +zrange +zrevrange +zremrangebyscore';
$redis('ACL', 'SETUSER', 'more', 'on', '>p', '~app:*', '-@all', ...explode(' ', $rights . $permits));
doctor('all but one', $at($server, 'username=more&password=p&prefix=app:'), [], [], 'unseen');
$redis('ACL', 'SETUSER', 'more', '+zrem');
doctor('all', $at($server, 'username=more&password=p&prefix=app:'), [], [], 'unseen');

$redis('ACL', 'SETUSER', 'less', 'reset', 'on', '>p', '~app:*', '-@all', ...array_diff(explode(' ', $rights), ['+client|tracking']));
doctor('without +client|tracking', $at($server, 'username=less&password=p&prefix=app:'), [], [], 'unseen', 'rights \(note');

echo "-- locks\n";
foreach (['once', 'twice'] as $i => $name) {
	$redis('SET', "console_doctor:$name", RedisLock::newToken());
	doctor('expiry', $at($server));
}
$redis('DEL', 'console_doctor:once', 'console_doctor:twice');
$redis('LPUSH', '{console_doctor}:rlk:waiters', '1');
doctor('a waiter that is gone', $at($server));
$waiter = $server->client();
$waiter->send('BLPOP', '{console_doctor}:rlk:signal', '0');
wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
doctor('a waiter', $at($server));
$waiter = null;
$redis('DEL', '{console_doctor}:rlk:waiters');

echo "-- the process\n";
doctor('thread', $at($server), ['redislock.renewal=thread']);
doctor('off', $at($server), ['redislock.renewal=off']);
doctor('process 1', $at($server), [], ['unshare', '--pid', '--fork', '--mount-proc', '--kill-child']);
$program = "$server->dir/refuse";
exec('gcc -O1 -Wall -Wextra -Werror -o ' . escapeshellarg($program) . ' ' . escapeshellarg(__DIR__ . '/../ext/refuse.c') . ' 2>&1', $said, $status);
echo implode("\n", $said);
doctor('seccomp', $at($server), [], [$program, '--fork']);

echo "-- several\n";
doctor('one is away', [...$at($server), '--server', 'unix:/nonexistent', ...$at($keeps)]);
doctor('all are away', ['--server', 'unix:/nonexistent']);
?>
--EXPECTF--
healthy: 0
0 in a terminal
eviction: 1
	eviction (problem): maxmemory-policy is allkeys-lru
persistence: true, and where all is kept: false
version: 1
	version (problem): this is version 5.%s
clock: 1
	clock (problem): its clock was set by 3600.0 s while it was watched
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
-- rights
those of the manual: 0
	unseen (note): this user may not call INFO
	unseen (note): this user may not call SCAN
	rights (note): the user may not call TIME, ZADD, PEXPIREAT, ZSCORE, ZCARD, ZRANGE, ZREVRANGE, ZREMRANGEBYSCORE, ZREM
without +set: 1
	rights (problem): the user may not call SET
without +get: 1
	rights (problem): the user may not call GET
without +del: 1
	rights (problem): the user may not call DEL
without +exists: 1
	rights (problem): the user may not call EXISTS
without +incr: 1
	rights (problem): the user may not call INCR
without +pexpire: 1
	rights (problem): the user may not call PEXPIRE
without +persist: 1
	rights (problem): the user may not call PERSIST
without +pttl: 1
	rights (problem): the user may not call PTTL
without +lpush: 1
	rights (problem): the user may not call LPUSH
without +lindex: 1
	rights (problem): the user may not call LINDEX
without +lset: 1
	rights (problem): the user may not call LSET
without +copy: 1
	rights (problem): the user may not call COPY
without +blpop: 1
	rights (problem): the user may not call BLPOP
without +type: 1
	rights (problem): the user may not call TYPE
without +eval: 1
	rights (problem): the user may not call EVAL
without +evalsha: 1
	rights (problem): the user may not call EVALSHA
-- rights for permits
all but one: 0
	rights (note): the user may not call ZREM
all: 0
without +client|tracking: 0
	tracking (note): nobody is told at once of a lost lock
-- locks
expiry: 1
	expiry (problem): console_doctor:once never expires
expiry: 1
	expiry (problem): console_doctor:once, console_doctor:twice never expire
a waiter that is gone: 0
a waiter: 1
	waiters (problem): nobody holds console_doctor, and somebody waits
-- the process
thread: 0
	thread (note): a thread of this process renews its locks
off: 0
	renewal (note): redislock.renewal is off
process 1: 0
	init (note): PHP is process 1 of its container
seccomp: 1
	seccomp (problem): no process-bound lock can be renewed here: lock "redislock-doctor-%s": the renewal child could not be started: clone: Operation not permitted
-- several
one is away: 1
	away (problem): 2 of 3 servers can be reached
all are away: 69
	redislock: unix:///nonexistent: No such file or directory
