--TEST--
redislock: list, show, release and doctor over TLS, with a user, Sentinel, Cluster, and several servers
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
openssl
--SKIPIF--
<?php
require __DIR__ . '/../inc/console.inc';
require __DIR__ . '/../inc/tls.inc';
require vendor_autoload();
skip_unless_console();
skip_unless_tls();
?>
--FILE--
<?php
/* slow: it starts the command 60 times, beside TLS, sentinels and a Cluster */
require __DIR__ . '/../inc/console.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/sentinel.inc';
require __DIR__ . '/../inc/tls.inc';
require vendor_autoload();

/** The same of each kind of server. $servers: URIs; $options: of the locks. */
function examine(string $what, array $servers, array $options, array $names = ['a', 'b']): void
{
	$options += ['prefix' => 'console_servers:'];
	$locks = array_map(function (string $name) use ($options) {
		$lock = new RedisLock($options + ['name' => $name, 'ttl' => 500, 'label' => 'me']);
		$_ = $lock->acquire(20);
		return $lock;
	}, $names);
	$words = [...array_merge(...array_map(fn ($uri) => ['--server', $uri], $servers)), '--prefix=console_servers:'];
	$json = function (string ...$arguments) use ($words): array {
		$run = new Run([...redislock_command(), ...$arguments, '--json', ...$words]);
		$run->hangUp();
		[$status, $rows] = despite_old_server($run->end(),
			array_map(fn ($line) => json_decode($line, true, 512, JSON_THROW_ON_ERROR), array_filter(explode("\n", $run->out))));
		return [$status . ($run->err === '' ? '' : " $run->err"), $rows];
	};
	[$status, $rows] = $json('list');
	$listed = array_column($rows, 'name');
	sort($listed);
	step("$what: list", $status, $listed === $names, array_column($rows, 'label') === array_fill(0, count($names), 'me'));
	foreach ($names as $name) {
		[$status, $rows] = $json('show', $name);
		step('show', $status, $rows[0]['name'] === $name, $rows[0]['pid'] === getmypid());
	}
	[$status, $rows] = $json('doctor');
	$found = array_diff(array_column($rows, 'check'), ['persistence']);
	step('doctor', $status, implode(' ', $found));
	[$status, $rows] = $json('release', '--force', $names[0]);
	step('release', $status, $rows[0]['released'], $locks[0]->isAcquired(), $locks[1]->isAcquired());
	$asked = new Run([...redislock_command(), 'release', $names[1], ...$words], true);
	$asked->await('[y/N]');
	$asked->say("y\n");
	step('asked', $asked->end(), $locks[1]->isAcquired());
	[$status, $rows] = $json('show', $names[1]);
	step('show', $status, $rows[0]['holders']);
}

/** Does a DSN in the grammar of Symfony lead the extension and the command to the same server? */
function both(string $what, string $dsn, array $options): void
{
	$lock = new RedisLock($options + ['prefix' => 'console_servers:', 'name' => 'dsn', 'ttl' => 500]);
	$acquired = $lock->acquire(20);
	$run = new Run([...redislock_command(), 'show', 'dsn', '--server', $dsn, '--prefix=console_servers:']);
	$run->hangUp();
	step($what, $acquired, (new RedisLock(RedisLock\Options::from($dsn, ['prefix' => 'console_servers:', 'name' => 'dsn'])))->acquire(), $run->end(), $run->err, $lock->release());
}

$server = new Server(true);
$redis = $server->client();
both('DSN of a socket', "redis:?host[$server->socket:]&dbindex=3", $server->options(['database' => 3]));
both('DSN of a host', "redis:?host[127.0.0.1:$server->port][alias]=x", $server->options());
examine('unix', ["unix:$server->socket"], $server->options());
$redis('ACL', 'SETUSER', 'operator', 'on', '>p ä/ss', '~*', '+@all');
$login = 'operator:' . rawurlencode('p ä/ss');
examine('a user', ["redis://$login@127.0.0.1:$server->port/3"],
	['host' => '127.0.0.1', 'port' => $server->port, 'username' => 'operator', 'password' => 'p ä/ss', 'database' => 3]);
foreach (['operator:mistaken' => 69, 'nobody:p' => 69] as $wrong => $status) {
	foreach ([['list'], ['show', 'a'], ['release', '--force', 'a'], ['doctor']] as $arguments) {
		$run = new Run([...redislock_command(), ...$arguments, '--server', "redis://$wrong@127.0.0.1:$server->port"]);
		$run->hangUp();
		step(implode(' ', $arguments), $run->end(), preg_match('/WRONGPASS|AUTH|wrong user name/', $run->err), preg_match('/mistaken|without any password/', $run->err) === 1);
	}
}

$authority = new Authority();
$certificate = $authority->issue();
$tls = $authority->server($certificate, '--requirepass', 'secret');
$query = '?' . http_build_query(['ssl' => ['cafile' => $authority->cafile]]);
examine('TLS', ["rediss://:secret@127.0.0.1:$tls->port$query"], $tls->options(['password' => 'secret']));
foreach ([['list'], ['doctor']] as $arguments) {
	$run = new Run([...redislock_command(), ...$arguments, '--server', "rediss://:secret@127.0.0.1:$tls->port"]);
	$run->hangUp();
	step('not trusted', $run->end(), $run->out);
}

$sentinels = new Sentinels(1, 1, 'secret', 'other');
$sentinel = $sentinels->sentinels[0];
examine('Sentinel', ["redis://:secret@127.0.0.1:$sentinel->port?service=mymaster&sentinel_password=other"], $sentinels->options());
$run = new Run([...redislock_command(), 'list', '--server', "redis://:secret@127.0.0.1:$sentinel->port?service=nobody&sentinel_password=other"]);
step('of another name', $run->end(), str_contains($run->err, 'No such master'));
$known = "host[127.0.0.1:$sentinel->port]&auth=other&sentinel=mymaster";
both('DSN of sentinels', "redis://:secret@127.0.0.1:1?$known", $sentinels->options());
both('DSN of a sentinel', "redis::secret@?$known", $sentinels->options());
$sentinels = null;

$cluster = new Cluster();
$names = array_map(fn (int $node) => substr($cluster->name('console_servers:', $node), strlen('console_servers:')), [0, 1, 2]);
sort($names);
examine('Cluster', ["redis://127.0.0.1:{$cluster->ports[0]}?redis_cluster=1"], ['cluster' => ["127.0.0.1:{$cluster->ports[0]}"]], $names);
both('DSN of a Cluster', 'redis:?' . implode('&', array_map(fn (int $port) => "host[127.0.0.1:$port]", $cluster->ports)) . '&cluster=1',
	['cluster' => ["127.0.0.1:{$cluster->ports[0]}"]]);
$cluster = null;

$servers = [new Server(), new Server(), new Server()];
$uris = array_map(fn (Server $s) => "unix:$s->socket?timeout=10&read_timeout=10", $servers);
examine('several', $uris, ['servers' => $uris]);
?>
--EXPECT--
DSN of a socket: true, false, 0, '', true
DSN of a host: true, false, 0, '', true
unix: list: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '0', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
a user: list: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '0', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
list: 69, 1, false
show a: 69, 1, false
release --force a: 69, 1, false
doctor: 69, 1, false
list: 69, 1, false
show a: 69, 1, false
release --force a: 69, 1, false
doctor: 69, 1, false
TLS: list: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '0', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
not trusted: 69, ''
not trusted: 69, ''
Sentinel: list: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '0', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
of another name: 69, true
DSN of sentinels: true, false, 0, '', true
DSN of a sentinel: true, false, 0, '', true
Cluster: list: '0', true, true
show: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '0', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
DSN of a Cluster: true, false, 0, '', true
several: list: '0', true, true
show: '0', true, true
show: '0', true, true
doctor: '1', ''
release: '0', true, false, true
asked: 0, false
show: '1', array (
)
