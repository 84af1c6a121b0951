--TEST--
Options::from(): what a Relay client tells, beside a stand-in with the methods Symfony knows of it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/client_options.inc';
require __DIR__ . '/../inc/standins/relay.inc';
load_adapters();

use Relay\Relay;
use RedisLock\Options;

$proxy = file_get_contents(dirname(vendor_autoload()) . '/symfony/symfony/src/Symfony/Component/Cache/Traits/RelayProxy.php');
preg_match_all('/public function \w+/', $proxy, $known);
echo json_encode(array_values(array_diff(array_map(fn ($method) => "public function $method", get_class_methods(Relay::class)),
	[...$known[0], 'public function connect']))), "\n";

$server = new Server(true, '--requirepass', 'secret');
$relay = new Relay;
refused(fn () => Options::from($relay));
$relay->connect('127.0.0.1', $server->port, 5, 'secret', 2);
$relay->setOption(Relay::OPT_PREFIX, 'app:');
excludes('password', $relay);
show(Options::from($relay));
$relay = new Relay;
$relay->connect($server->socket, 0, 0, ['default', 'secret']);
excludes('user, by a socket', $relay);
$relay = new Relay;
$relay->connect('tls://127.0.0.1', 6380);
refused(fn () => Options::from($relay));
show(Options::from($relay, ['ssl' => ['cafile' => '/etc/redis.pem']]));
foreach ([false, 0] as $database) {
	refused(fn () => Options::from(new class($database) extends Relay {
		public function __construct(private int|false $database)
		{
		}

		public function getDbNum(): mixed
		{
			return $this->database;
		}

		public function isConnected(): bool
		{
			return true;
		}

		public function getHost(): false|string
		{
			return 'host';
		}

		public function endpointId(): false|string
		{
			return false;
		}
	}));
}
--EXPECT--
[]
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Relay\Relay that is not connected, so it does not tell its address: connect it first
password: ok
{"host":"127.0.0.1","port":"*","scheme":"tcp","timeout":5,"password":"secret","database":2,"prefix":"app:"}
user, by a socket: ok
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Relay\Relay that speaks TLS, and does not tell its certificates: give "ssl", [] for those of the system
{"ssl":{"cafile":"/etc/redis.pem"},"host":"127.0.0.1","port":"*","scheme":"tls"}
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Relay\Relay@anonymous that does not tell its database
ValueError: RedisLock\Options::from(): Argument #1 ($given) is a Relay\Relay@anonymous that does not tell whether it speaks TLS: give "scheme" => "tcp", or "ssl"
