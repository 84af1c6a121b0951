--TEST--
Options::from(): what a Predis client tells, and refusals of what it does not
--EXTENSIONS--
openssl
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); require __DIR__ . '/../inc/tls.inc'; skip_unless_tls(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/cluster.inc';
require __DIR__ . '/../inc/client_options.inc';
require vendor_autoload();

use Predis\Client as Predis;
use RedisLock\Options;

$server = new Server(true, '--requirepass', 'secret');
$admin = $server->client();
$admin('AUTH', 'secret');
$admin('ACL', 'SETUSER', 'app', 'on', '>pass', '~*', '+@all', ...all_channels());
$tcp = ['host' => '127.0.0.1', 'port' => $server->port, 'password' => 'secret'];

echo "-- the same server, user, database and key\n";
excludes('password', $predis = new Predis(['database' => 3, 'timeout' => 5, 'read_write_timeout' => 5, 'persistent' => true] + $tcp, ['prefix' => 'app:']));
excludes('user, by a socket', new Predis(['scheme' => 'unix', 'path' => $server->socket, 'username' => 'app', 'password' => 'pass']));
excludes('URI', new Predis("redis://app:pass@127.0.0.1:$server->port/2"));
excludes('common parameters', new Predis(['host' => '127.0.0.1', 'port' => $server->port],
	['parameters' => ['password' => 'secret', 'database' => 1]]));
$selected = new Predis($tcp);
$selected->select(4);
/* Redis 6.0 has no CLIENT INFO. */
$tells = !server_is_before('6.2');
excludes('selected since', $selected, $tells ? [] : ['database' => 4]);
$tells || $predis->disconnect();

echo "-- options beside it\n";
show(Options::from($predis));
show(Options::from(new Predis(['username' => 'nobody', 'persistent' => true, 'alias' => 'a', 'path' => '7'])));
show(Options::from($predis, ['prefix' => null, 'password' => 'other']));

echo "-- TLS\n";
$authority = new Authority;
$tls = $authority->server($authority->issue());
excludes('TLS', new Predis(['scheme' => 'tls', 'host' => '127.0.0.1', 'port' => $tls->port, 'ssl' => ['cafile' => $authority->cafile]]));
unreachable(new Predis(['scheme' => 'tls', 'host' => '127.0.0.1', 'port' => $tls->port]), []);

echo "-- a Redis Cluster\n";
$cluster = new Cluster;
foreach ($cluster->nodes as $node) {
	$redis = $node->client();
	$redis('CONFIG', 'SET', 'masterauth', 'secret');
	$redis('CONFIG', 'SET', 'requirepass', 'secret');
}
$seeds = array_map(fn ($port) => "tcp://127.0.0.1:$port", array_slice($cluster->ports, 0, 3));
$common = ['cluster' => 'redis', 'parameters' => ['password' => 'secret']];
excludes('all nodes', $predis = new Predis($seeds, ['prefix' => 'app:'] + $common));
show(Options::from($predis));

echo "-- refused\n";
refused(fn () => Options::from(new Predis([['password' => 'secret'], ['port' => 1]], ['cluster' => 'predis'])));
refused(fn () => Options::from(new Predis([['role' => 'master', 'password' => 'secret'], ['port' => 1]], ['replication' => 'predis'])));
refused(fn () => Options::from(new Predis(['tcp://127.0.0.1:1'], ['replication' => 'sentinel', 'service' => 'main', 'parameters' => ['password' => 'secret']])));
$uneven = array_map(fn ($port) => ['port' => $port, 'password' => 'secret', 'timeout' => $port], array_slice($cluster->ports, 0, 3));
refused(fn () => Options::from(new Predis($uneven, ['cluster' => 'redis'])));
$own = new Predis($tcp, ['prefix' => new class implements \Predis\Command\Processor\ProcessorInterface {
	public function process(\Predis\Command\CommandInterface $command): void
	{
		$command->setArguments(['own:' . $command->getArgument(0)] + $command->getArguments());
	}
}]);
refused(fn () => Options::from($own));
excludes('own prefix, given', $own, ['prefix' => 'own:', 'database' => null]);
$tells && $admin('ACL', 'SETUSER', 'app', '-client|info');
$selected = new Predis("redis://app:pass@127.0.0.1:$server->port");
$selected->select(5);
refused(fn () => Options::from($selected));
excludes('database given', $selected, ['database' => 5]);
--EXPECT--
-- the same server, user, database and key
password: ok
user, by a socket: ok
URI: ok
common parameters: ok
selected since: ok
-- options beside it
{"prefix":"app:","database":3,"timeout":5,"read_write_timeout":5,"host":"127.0.0.1","port":"*","password":"secret","scheme":"tcp","username":"default"}
{"scheme":"tcp","host":"127.0.0.1","port":"*"}
{"password":"other","database":3,"timeout":5,"read_write_timeout":5,"host":"127.0.0.1","port":"*","scheme":"tcp","username":"default"}
-- TLS
TLS: ok
not reached
-- a Redis Cluster
all nodes: ok
{"prefix":"app:","cluster":[{"scheme":"tcp","host":"127.0.0.1","port":"*"},{"scheme":"tcp","host":"127.0.0.1","port":"*"},{"scheme":"tcp","host":"127.0.0.1","port":"*"}],"password":"secret","username":"default"}
-- refused
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Predis\Client that is connected by Predis\Connection\Cluster\PredisCluster, which does not tell its servers, or spreads keys over them by itself: give the options "sentinels" and "service", or the client of one server
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Predis\Client that is connected by Predis\Connection\Replication\MasterSlaveReplication, which does not tell its servers, or spreads keys over them by itself: give the options "sentinels" and "service", or the client of one server
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Predis\Client that is connected by Predis\Connection\Replication\SentinelReplication, which does not tell its servers, or spreads keys over them by itself: give the options "sentinels" and "service", or the client of one server
ValueError: option "timeout" must be the same for all nodes of a Cluster; give it beside the list
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Predis\Client that does not tell its prefix: give it as "prefix"
own prefix, given: ok
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Predis\Client that may have selected another database, and its server does not tell: give "database"
database given: ok
