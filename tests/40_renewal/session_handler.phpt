--TEST--
A process-bound lock that a session handler takes in read() lasts until PHP has called its write(), however the session is written
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
extension_loaded('session') || die('skip this PHP has no sessions');
?>
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$server = new Server;
$redis = $server->client();
const HANDLER = '
	final class Handler implements SessionHandlerInterface {
		private ?RedisLock $lock = null;
		public function __construct(private array $options) {}
		public function open($path, $name): bool { return true; }
		public function read($id): string {
			$this->lock = new RedisLock($this->options);
			echo json_encode($this->lock->acquire()), "\n";
			return "";
		}
		public function write($id, $data): bool {
			echo "written: ", $data, ", held: ", json_encode($this->lock->isHeld()), "\n";
			return true;
		}
		public function close(): bool { echo "released: ", json_encode($this->lock->release()), "\n"; return true; }
		public function destroy($id): bool { return true; }
		public function gc($max): int|false { return 0; }
	}
	ini_set("session.use_cookies", "0");
	ini_set("session.cache_limiter", "");
	session_set_save_handler(new Handler(json_decode($argv[1], true)), ARGUMENT);
	session_start();
	$_SESSION["a"] = 1;';
$ends = ['true' => [''], 'false' => ['', 'exit(0);', 'session_write_close();', 'throw new Exception;', 'session_abort();']];
foreach ($ends as $argument => $codes) {
	foreach ($codes as $code) {
		$php = new Php(str_replace('ARGUMENT', $argument, HANDLER) . $code,
			[json_encode($server->options(['name' => 'session_handler', 'renew' => true]))], ['error_reporting=0']);
		echo trim("$argument $code"), "\n", $php->rest();
		echo $redis('EXISTS', 'session_handler'), "\n";
	}
}
echo "What a shutdown function frees is no reason to write\n";
$php = new Php(str_replace('ARGUMENT', 'false', HANDLER) . '
	$other = new RedisLock(["name" => "session_handler_other"] + json_decode($argv[1], true));
	$_ = $other->acquire();
	register_shutdown_function(function () { unset($GLOBALS["other"]); $_SESSION["b"] = 2; });',
	[json_encode($server->options(['name' => 'session_handler', 'renew' => true]))]);
echo $php->rest();
?>
--EXPECT--
true
true
written: a|i:1;, held: true
released: true
0
false
true
written: a|i:1;, held: true
released: true
0
false exit(0);
true
written: a|i:1;, held: true
released: true
0
false session_write_close();
true
written: a|i:1;, held: true
released: true
0
false throw new Exception;
true
written: a|i:1;, held: true
released: true
0
false session_abort();
true
released: true
0
What a shutdown function frees is no reason to write
true
written: a|i:1;b|i:2;, held: true
released: true
