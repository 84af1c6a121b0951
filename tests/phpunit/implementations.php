<?php

declare(strict_types=1);

use RedisLock\LockFactory;
use RedisLock\Locks;

/*
 * The implementations of Lock that have to keep the contracts of lock_contract.inc. To add one, write its surroundings, with
 * CONTRACTS, those it keeps, and missing(), and name it here. What is expected is what locks in memory do.
 */
const IMPLEMENTATIONS = ['memory without the extension' => WithoutExtension::class, 'machine' => OnMachine::class, 'server' => OnServer::class, 'server without the extension' => OnServerByPolyfill::class,
	'server that may be away' => OnServerUnlessAway::class];

/** Locks on a server of our own. */
class OnServer implements Surroundings
{
	public const CONTRACTS = ['every lock', 'several names', 'one name', 'many holders'];
	private static ?Server $server = null;
	private LockFactory $factory;
	private Client $redis;
	/** @var list<Php> */
	private array $others = [];

	/** Why it cannot be tried here; null where it can. */
	public static function missing(): ?string
	{
		return extension_loaded('redislock') && extension_loaded('posix') && trim((string) shell_exec('command -v redis-server')) !== '' ?
			null : 'it takes the extension, posix and redis-server';
	}

	public function __construct()
	{
		self::$server ??= new Server();
		$this->factory = new LockFactory(self::$server->options());
		$this->redis = self::$server->client();
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
		/* Asked before: whoever asks once it is lost is told by the answer. */
		$held = SequenceTask::current()?->isHeld() ?? false;
		($this->redis)('DEL', $name);
		/* Inside of a run the exception ends it. */
		$this->pass($held ? 3 : 0.5);
	}

	public function delete(string $name): void
	{
		($this->redis)('DEL', $name);
	}

	public function releasedAfter(float $seconds, string $name, string $token, array $options = []): void
	{
		$this->others[] = $other = new Php('echo "ready\n"; usleep((int) ($argv[1] * 1e6));
			RedisLock::restore(["unix_socket" => $argv[2]], $argv[3], $argv[4], json_decode($argv[5], true))->release();',
			[(string) $seconds, self::$server->socket, $name, $token, json_encode($options)]);
		$other->await('ready');
	}
}

/** Locks on a server of our own, in a PHP that has no extension at all, but Predis. */
final class OnServerByPolyfill
{
	public const CONTRACTS = ['one name', 'many holders'];
	/** Scenarios in which something is asked for that only the extension can do: a process-bound lock, or an entry again; or true for seconds. */
	private const REFUSED = ['one name' => [
		'a lease outlives its object, a process-bound lock does not', 'a process-bound lock is renewed', 'default ttls', 'extended',
		'a process-bound lock given away is renewed no more', 'hold_at_least', 'entered again', 'tasks within tasks', 'a task',
		'a task under a lock of a minute', 'a task that cannot be', 'a task that throws', 'a task that releases itself', 'a task whose lock is given away',
		'a loss amid a task', 'a loss amid a task, caught', 'a loss amid a task, caught and asked about', 'a loss amid a task that nobody noticed',
		'a loss amid a task that asks', 'a loss amid a task that throws', 'a loss that the callable replaced', 'a loss within nested tasks',
		'a loss of a task that wants none told', 'a loss of a plain lock', 'a loss that shows with the next renewal', 'a lock that another took meanwhile',
		'max_hold', 'options that are right'], 'many holders' => [
		'a task under a permit', 'process-bound permits', 'a permit that is lost', 'entered again', 'entered by whoever holds another', 'entered again, and to be shared', 'process-bound readers', 'wrong waits',
		'options that are right']];
	private static ?Server $server = null;

	public static function missing(): ?string
	{
		return is_file(vendor_autoload()) ? OnServer::missing() : 'scripts/vendor.sh fetches Predis';
	}

	/** What the scenario saw there; of one that asks for a process-bound lock, what a lock in memory sees, if that was refused. */
	public static function see(string $contract, string $scenario): string
	{
		static $all;
		self::$server ??= new Server();
		$all ??= json_decode((string) shell_exec(implode(' ', array_map(escapeshellarg(...), [PHP_BINARY, '-n', __DIR__ . '/../inc/lock_contract_polyfill.inc', self::$server->socket]))), true);
		$said = $all[$contract][$scenario] ?? 'nothing';
		return in_array($scenario, self::REFUSED[$contract], true) && str_contains($said, 'LogicException') ? seen(new InMemory, $contract, $scenario) : $said;
	}
}

/** Locks of a factory that was told what to do without its server. */
final class OnServerUnlessAway extends OnServer
{
	public const CONTRACTS = ['every lock', 'several names'];

	public function factory(): LockFactory
	{
		return parent::factory()->whenUnavailable('skip');
	}
}

/** Locks in files. */
final class OnMachine implements Surroundings
{
	public const CONTRACTS = ['every lock', 'several names'];
	private static string $dir = '';

	public static function missing(): ?string
	{
		return null;
	}

	public function factory(): Locks
	{
		if (self::$dir === '') {
			self::$dir = sys_get_temp_dir() . '/lock-contract-' . getmypid();
			register_shutdown_function(fn () => array_map(unlink(...), glob(self::$dir . '/*')) && rmdir(self::$dir));
		}
		return LockFactory::local(self::$dir);
	}

	public function pass(float $seconds): void
	{
		pause($seconds, 'which is what was asked for');
	}

	public function lose(string $name): void
	{
		$this->delete($name);
	}

	public function delete(string $name): void
	{
		array_map(unlink(...), glob(self::$dir . '/' . substr(hash('sha256', $name), 0, 32) . '.*'));
	}

	public function releasedAfter(float $seconds, string $name, string $token, array $options = []): void
	{
		throw new LogicException('They have no tokens.');
	}
}

/** Locks in memory, in a PHP that has nothing of ours: the polyfills are in the extension's place. */
final class WithoutExtension
{
	public const CONTRACTS = OnServer::CONTRACTS;

	public static function missing(): ?string
	{
		return null;
	}

	/** What the scenario saw there. */
	public static function see(string $contract, string $scenario): string
	{
		static $all;
		$all ??= json_decode((string) shell_exec(escapeshellarg(PHP_BINARY) . ' -n ' . escapeshellarg(__DIR__ . '/../inc/lock_contract_alone.inc')), true);
		return $all[$contract][$scenario] ?? 'nothing';
	}
}
