--TEST--
RoadRunner: the loop of docs/guide/runtimes.md ends the locks of each request with it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/docs.inc';

/** Plays the server: a worker on pipes, which gets goridge's frames. */
final class RoadRunner
{
	private const CONTROL = 0x01;
	public readonly int $pid;
	private $process;
	private array $pipes = [];

	public function __construct(string $code)
	{
		$file = tempnam(sys_get_temp_dir(), 'rlk');
		file_put_contents($file, "<?php\nunlink(__FILE__);\n$code");
		$this->process = proc_open([...Php::command(), $file], [['pipe', 'r'], ['pipe', 'w'], ['pipe', 'w']], $this->pipes, null,
			['RR_MODE' => 'http', 'RR_RELAY' => 'pipes'] + getenv());
		$this->send('{"pid":true}', [], self::CONTROL);
		$this->pid = json_decode($this->receive())->pid;
	}

	/** Its answer; the context, which for HTTP is a JSON of its own, stands in front of the body. */
	public function serve(string $body): string
	{
		$context = '{"method":"GET","uri":"/"}';
		$this->send($context . $body, [strlen($context)]);
		return $this->receive();
	}

	public function said(): string
	{
		stream_set_blocking($this->pipes[2], false);
		return trim(stream_get_contents($this->pipes[2]));
	}

	public function stop(): int
	{
		$this->send('{"stop":true}', [], self::CONTROL);
		/* All that it still says: not one byte may get among the frames. */
		echo stream_get_contents($this->pipes[1]);
		return proc_close($this->process);
	}

	private function send(string $payload, array $options, int $flags = 0): void
	{
		$header = pack('CCV', 0x10 | count($options) + 3, $flags, strlen($payload));
		fwrite($this->pipes[0], $header . pack('VCCV*', crc32($header), 0, 0, ...$options) . $payload);
	}

	private function receive(): string
	{
		$header = stream_get_contents($this->pipes[1], 12);
		if (strlen($header) < 12) {
			throw new RuntimeException('the worker said: ' . $header . stream_get_contents($this->pipes[2]));
		}
		['words' => $words, 'length' => $length] = unpack('Cwords/Cflags/Vlength', $header);
		$options = 4 * (($words & 0x0F) - 3);
		return substr(stream_get_contents($this->pipes[1], $options + $length), $options);
	}
}

$server = new Server;
$redis = $server->client();
$code = 'require ' . var_export(dirname(__DIR__) . '/inc/vendor.inc', true) . '; require ' .
	var_export(dirname(__DIR__) . '/inc/vendor_deprecations.inc', true) . '; load_framework("roadrunner");' .
	'const SOCKET = ' . var_export($server->socket, true) . ';' . <<<'CODE'
	function take(string $name): string {
		static $kept = [];
		$kept[] = $lock = new RedisLock(['unix_socket' => SOCKET, 'name' => $name, 'renew' => true]);
		return $lock->acquire() ? 'taken' : 'refused';
	}
	function handle(Spiral\RoadRunner\Payload $request): string {
		return $request->body === 'pid' ? (string) getmypid() : take($request->body);
	}
	take('worker');

	CODE;
$free = fn (string $name) => comes_true(fn () => !$redis('EXISTS', $name)) ? "$name is free" : "$name is held";

$worker = new RoadRunner($code . samples('docs/guide/runtimes.md')[0]);
foreach (['cart', 'cart', 'order'] as $name) {
	echo $worker->serve($name), ', ', $free($name), "\n";
}
var_dump($worker->serve('pid') === (string) $worker->pid, $redis('EXISTS', 'worker'));
echo strtr($worker->said(), [' []' => "\n"]);
echo $worker->stop(), ', ', $free('worker'), "\n";

?>
--EXPECT--
taken, cart is free
taken, cart is free
taken, order is free
bool(true)
int(1)
[php notice] a request left the lock "cart" behind
[php notice] a request left the lock "cart" behind
[php notice] a request left the lock "order" behind
0, worker is free
