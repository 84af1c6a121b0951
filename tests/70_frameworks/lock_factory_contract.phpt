--TEST--
LockFactory: locks in memory do what those on a server do, with the extension and without
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
load_adapters();
require __DIR__ . '/../inc/lock_contract.inc';

use RedisLock\LockFactory;

/** Locks on a server of our own. */
final class OnServer implements Surroundings
{
	private LockFactory $factory;
	private Client $redis;
	private array $others = [];

	public function __construct(private Server $server)
	{
		$this->factory = new LockFactory($server->options());
		$this->redis = $server->client();
		($this->redis)('FLUSHALL');
	}

	public function factory(): LockFactory
	{
		return $this->factory;
	}

	public function pass(float $seconds): void
	{
		pause($seconds, 'which is what was asked for');
	}

	public function lose(string $name): void
	{
		($this->redis)('DEL', $name);
		/* Inside of a run the exception ends it. */
		$this->pass(SequenceTask::current()?->isHeld() ? 3 : 0.5);
	}

	public function delete(string $name): void
	{
		($this->redis)('DEL', $name);
	}

	public function releasedAfter(float $seconds, string $name, string $token, array $options = []): void
	{
		$this->others[] = $other = new Php('echo "ready\n"; usleep((int) ($argv[1] * 1e6));
			RedisLock::restore(["unix_socket" => $argv[2]], $argv[3], $argv[4], json_decode($argv[5], true))->release();',
			[(string) $seconds, $this->server->socket, $name, $token, json_encode($options)]);
		$other->await('ready');
	}
}

/* Where the extension is not: the polyfills are in its place. */
$without = json_decode(shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(__DIR__ . '/../inc/lock_contract_alone.inc')), true);
$server = new Server;
$pid = getmypid();
foreach (all_contracts() as $name => $scenario) {
	$see = fn (Surroundings $s) => str_replace((string) $pid, '"pid"', json_encode($scenario($s), JSON_PARTIAL_OUTPUT_ON_ERROR));
	$memory = $see(new InMemory);
	/* There the time is real. */
	$try = function () use ($see, $server): string {
		try {
			return $see(new OnServer($server));
		} catch (RedisLock\Exception $e) {
			return (string) $e;
		}
	};
	$said = unless_stalled($try, fn (string $said) => $said === $memory);
	foreach (['in memory' => $memory, 'without the extension' => $without[$name] ?? 'nothing'] as $where => $there) {
		echo $there === $said ? '' : "$name\n\t$where: $there\n\ton a server: $said\n";
	}
}
echo count($without) === count(all_contracts()) ? 'all' : 'some', " ran without the extension\n";
?>
--EXPECT--
all ran without the extension
