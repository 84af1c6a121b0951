<?php

declare(strict_types=1);

use PHPUnit\Framework\TestCase;
use RedisLock\LockFactory;
use RedisLock\Testing\ArrayLockFactory;

/**
 * What every Lock does, by the scenarios of interface_contract(): each implementation does what a lock in memory does. Locks on a
 * server are among them where the extension is loaded and redis-server installed.
 */
final class LockContractTest extends TestCase
{
	/** @return iterable<string, array{string, string, bool}> */
	public static function scenarios(): iterable
	{
		foreach (array_keys(interface_contract()) as $scenario) {
			foreach (self::places() as $place) {
				yield "$scenario, $place" => [$scenario, $place, false];
				yield "$scenario, several names, $place" => [$scenario, $place, true];
			}
		}
	}

	/** @dataProvider scenarios */
	#[PHPUnit\Framework\Attributes\DataProvider('scenarios')]
	public function testDoesWhatALockInMemoryDoes(string $scenario, string $place, bool $several): void
	{
		$expected = self::play($scenario, 'memory', false);
		/* There the time is real. */
		$said = unless_stalled(fn () => self::play($scenario, $place, $several), fn (string $said) => $said === $expected);
		self::assertSame($expected, $said);
	}

	/** @return list<string> */
	private static function places(): array
	{
		return extension_loaded('redislock') && extension_loaded('posix') && trim((string) shell_exec('command -v redis-server')) !== '' ?
			['memory', 'machine', 'server'] : ['memory', 'machine'];
	}

	/** What the scenario saw, as JSON. */
	private static function play(string $scenario, string $place, bool $several): string
	{
		[$factory, $lose] = self::place($place);
		$make = $several ? fn (array $options = []) => $factory->all(['b', 'a'], $options + ['renew' => true]) :
			fn (array $options = []) => $factory->lock('b', $options + ['renew' => true]);
		/* What losing it returns is not the same everywhere. */
		return json_encode(outcome_of(fn () => interface_contract()[$scenario]($make, function () use ($lose): void {
			$lose();
		})), JSON_THROW_ON_ERROR | JSON_PARTIAL_OUTPUT_ON_ERROR);
	}

	/** Its factory, and what has the lock "b" vanish. @return array{LockFactory, Closure} */
	private static function place(string $place): array
	{
		static $dir, $server;
		switch ($place) {
			case 'memory':
				$memory = new ArrayLockFactory();
				return [$memory, fn () => $memory->managed('b')->forceRelease()];
			case 'machine':
				if ($dir === null) {
					$dir = sys_get_temp_dir() . '/lock-contract-' . getmypid();
					register_shutdown_function(fn () => array_map(unlink(...), glob("$dir/*")) && rmdir($dir));
				}
				return [LockFactory::local($dir), fn () => array_map(unlink(...), glob($dir . '/' . substr(hash('sha256', 'b'), 0, 32) . '.*'))];
			default:
				$server ??= new Server();
				return [new LockFactory($server->options()), fn () => $server->client()('DEL', 'b')];
		}
	}
}
