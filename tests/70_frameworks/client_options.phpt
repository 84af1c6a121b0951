--TEST--
Options::from(): what a phpredis client tells, and refusals of what it does not
--EXTENSIONS--
igbinary
redis
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); require __DIR__ . '/../inc/tls.inc'; skip_unless_tls(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/tls.inc';
require __DIR__ . '/../inc/client_options.inc';
load_adapters();

use RedisLock\Options;

$server = new Server(true, '--requirepass', 'secret');
$admin = $server->client();
$admin('AUTH', 'secret');
$admin('ACL', 'SETUSER', 'app', 'on', '>pass', '~*', '+@all', ...all_channels());

/** A client of that server, beside which a lock is made. */
function client(string $host, int $port, mixed $auth, int $database = 0, string $prefix = '', array $context = []): Redis
{
	$redis = new Redis;
	$redis->connect($host, $port, 5, null, 0, 5, $context);
	$auth === null || $redis->auth($auth);
	$redis->select($database);
	$redis->setOption(Redis::OPT_PREFIX, $prefix);
	return $redis;
}

echo "-- the same server, user, database and key\n";
excludes('password', $redis = client('127.0.0.1', $server->port, 'secret', 3, 'app:'));
excludes('user, by a socket', client($server->socket, 0, ['app', 'pass'], 1));
excludes('by unix://', client("unix://$server->socket", 0, 'secret'));
excludes('by tcp://', client('tcp://127.0.0.1', $server->port, ['secret'], 2));
excludes('a subclass', new class($server->port) extends Redis {
	public function __construct(int $port)
	{
		parent::__construct();
		$this->connect('127.0.0.1', $port);
		$this->auth('secret');
	}
});

echo "-- options beside it\n";
show(Options::from($redis));
show(Options::from($redis, ['prefix' => null, 'database' => 4, 'ttl' => 5]));
ini_set('redislock.prefix', 'ini:');
excludes('no prefix, where php.ini has one', client('127.0.0.1', $server->port, 'secret'));
ini_set('redislock.prefix', '');

echo "-- TLS\n";
$authority = new Authority;
$tls = $authority->server($authority->issue());
$trust = ['stream' => ['cafile' => $authority->cafile]];
foreach (['tls://127.0.0.1', 'ssl://127.0.0.1', '127.0.0.1'] as $host) {
	$redis = client($host, $tls->port, null, 0, '', $trust);
	refused(fn () => Options::from($redis));
	excludes($host, $redis, ['ssl' => ['cafile' => $authority->cafile]]);
	unreachable($redis, ['ssl' => []]);
}
$kept = new Redis;
$kept->pconnect('127.0.0.1', $tls->port, 5, 'kept', 0, 5, $trust);
refused(fn () => Options::from($kept));

echo "-- refused\n";
refused(fn () => Options::from(new Redis));
refused(fn () => Options::from(new ArrayObject(['secret'])));
refused(fn () => Options::from(new RedisArray(["127.0.0.1:$server->port"], ['lazy_connect' => true])));

echo "-- pconnect(): PHP's streams do not tell in later requests, so they are not asked in the first\n";
$kept = new Redis;
$kept->pconnect('localhost', $server->port);
$kept->auth('secret');
refused(fn () => Options::from($kept));
excludes('scheme given', $kept, ['scheme' => 'tcp']);
$kept = new Redis;
$kept->pconnect('tcp://127.0.0.1', $server->port);
$kept->auth('secret');
excludes('scheme in the host', $kept);
--EXPECT--
-- the same server, user, database and key
password: ok
user, by a socket: ok
by unix://: ok
by tcp://: ok
a subclass: ok
-- options beside it
{"host":"127.0.0.1","port":"*","scheme":"tcp","timeout":5,"read_write_timeout":5,"password":"secret","database":3,"prefix":"app:"}
{"database":4,"ttl":5,"host":"127.0.0.1","port":"*","scheme":"tcp","timeout":5,"read_write_timeout":5,"password":"secret"}
no prefix, where php.ini has one: ok
-- TLS
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
tls://127.0.0.1: ok
not reached
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
ssl://127.0.0.1: ok
not reached
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
127.0.0.1: ok
not reached
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
-- refused
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that is not connected, so it does not tell its address: connect it first
TypeError: RedisLock\Options::from(): Argument #1 ($given) must be an array, a URI, or of type Redis, RedisCluster, Relay\Relay, Predis\ClientInterface or yii\redis\Connection, ArrayObject given
TypeError: RedisLock\Options::from(): Argument #1 ($given) must be an array, a URI, or of type Redis, RedisCluster, Relay\Relay, Predis\ClientInterface or yii\redis\Connection, RedisArray given
-- pconnect(): PHP's streams do not tell in later requests, so they are not asked in the first
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Redis that does not tell whether it speaks TLS: give "scheme" => "tcp", or "ssl"
scheme given: ok
scheme in the host: ok
