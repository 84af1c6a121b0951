<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

use RedisLock\Console\LockCommand;
use RedisLock\Console\Source;
use RedisLock\LockFactory as Locks;
use Symfony\Component\Config\Definition\Configurator\DefinitionConfigurator;
use Symfony\Component\DependencyInjection\Compiler\CompilerPassInterface;
use Symfony\Component\DependencyInjection\Compiler\ServiceLocatorTagPass;
use Symfony\Component\DependencyInjection\ContainerBuilder;
use Symfony\Component\DependencyInjection\Definition;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\DependencyInjection\Reference;
use Symfony\Component\HttpKernel\Bundle\AbstractBundle;
use Symfony\Component\Lock\LockFactory as SymfonyLockFactory;
use Symfony\Component\Lock\Store\InMemoryStore;

use function Symfony\Component\DependencyInjection\Loader\Configurator\service;

/**
 * Named locks from the configuration "redislock", and the listener that ends process-bound locks with their request or message.
 *
 * A lock "invoice" is the argument `LockFactory $invoiceLockFactory`, and the service "redislock.invoice.factory". The lock
 * "default" is every other `LockFactory`, and "lock.factory", which Symfony's components use. The lock "command" is that of
 * LockableTrait; it is there in any case. `RedisLock\LockFactory` is a service, too.
 *
 * @phpstan-type LockConfig array{server?: mixed, process: bool, initial_ttl: float, fence: bool, options: array<mixed>}
 */
final class RedisLockBundle extends AbstractBundle implements CompilerPassInterface
{
	private const DEFAULT = 'redislock.default.factory';

	protected string $extensionAlias = 'redislock';

	public function configure(DefinitionConfigurator $definition): void
	{
		$server = 'A DSN; options of RedisLock; "in-memory", for tests; or the id of a service, a client of phpredis, Relay or Predis.';
		$definition->rootNode()->children()
			->variableNode('server')->info($server)->defaultValue([])->end()
			->arrayNode('options')->info('Options of all locks.')->variablePrototype()->end()->end()
			->arrayNode('locks')->useAttributeAsKey('name')->arrayPrototype()
				->beforeNormalization()->ifString()->then(static fn (string $server): array => ['server' => $server])->end()
				->children()
					->variableNode('server')->info("$server If not given, that of all locks.")->end()
					->booleanNode('process')->info('Whether locks live as long as the process: else leases.')->defaultFalse()->end()
					->floatNode('initial_ttl')->info('Seconds that a lease without a ttl of its own lives.')->defaultValue(300.0)->end()
					->booleanNode('fence')->info('Whether every acquisition gets a fencing number, see RedisLock\Symfony\Fence.')->defaultFalse()->end()
					->arrayNode('options')->info('Options of these locks.')->variablePrototype()->end()->end();
	}

	/** @param array{server: mixed, options: array<mixed>, locks: array<string, LockConfig>} $config what configure() describes */
	public function loadExtension(array $config, ContainerConfigurator $configurator, ContainerBuilder $container): void
	{
		$config['locks'] += ['command' => ['process' => true, 'initial_ttl' => 300.0, 'fence' => false, 'options' => []]];
		$all = ['' => self::options('redislock.options', $config, [], $container)];
		/** @var list<array{mixed, mixed}> $memories server and prefix of what is in memory together */
		$memories = [];
		foreach ($config['locks'] as $name => $lock) {
			$place = [$lock['server'] ?? $config['server'], ($lock['options'] + $config['options'])['prefix'] ?? null];
			if (!in_array($place, $memories, true)) {
				$memories[] = $place;
			}
			$memory = 'redislock.memory.' . array_search($place, $memories, true);
			$container->register($memory, InMemoryStore::class);
			$all[$name] = self::options("redislock.$name.options", $config, $lock, $container);
			$container->setDefinition("redislock.$name.store", (new Definition($lock['process'] ? ProcessLockStore::class : RedisLockStore::class))
				->setFactory([StoreFactory::class, 'store'])
				->setArguments([$all[$name], $lock['process'], $lock['initial_ttl'], $lock['fence'], new Reference($memory)]));
			$configurator->services()->set("redislock.$name.factory", TtlLockFactory::class)
				->args([new Reference("redislock.$name.store")])
				->call('setLogger', [service('logger')->ignoreOnInvalid()])
				->tag('monolog.logger', ['channel' => 'lock']);
			$container->registerAliasForArgument("redislock.$name.factory", SymfonyLockFactory::class, "$name.lock.factory", $name);
		}
		$container->setDefinition('redislock.locks', (new Definition(Locks::class))->setFactory([StoreFactory::class, 'locks'])->setArguments([$all['']]));
		$container->setAlias(Locks::class, 'redislock.locks');

		if (interface_exists(Source::class)) {
			$container->setDefinition(LockSource::class, (new Definition(LockSource::class))->setArguments([ServiceLocatorTagPass::register($container, $all)]));
			foreach (LockCommand::ANYWHERE as $name => $class) {
				$container->setDefinition($class, (new Definition($class))->setArguments([new Reference(LockSource::class), "redislock:$name"])
					->addTag('console.command', ['command' => "redislock:$name"]));
			}
		}
		$configurator->services()->set(RequestListener::class)
			->args([service('logger')->nullOnInvalid()])
			->tag('monolog.logger', ['channel' => 'lock'])
			->tag('kernel.event_subscriber')
			->tag('kernel.reset', ['method' => 'reset']);
	}

	/**
	 * Defines the options of a lock, or of all.
	 *
	 * @param array{server: mixed, options: array<mixed>, ...} $config
	 * @param array{server?: mixed, options?: array<mixed>, ...} $lock
	 */
	private static function options(string $id, #[\SensitiveParameter] array $config, #[\SensitiveParameter] array $lock, ContainerBuilder $container): Reference
	{
		$container->setDefinition($id, (new Definition(\SensitiveParameterValue::class))->setFactory([StoreFactory::class, 'options'])
			->setArguments([self::server($lock['server'] ?? $config['server'], $container), ($lock['options'] ?? []) + $config['options'], self::server($config['server'], $container)]));

		return new Reference($id);
	}

	public function build(ContainerBuilder $container): void
	{
		$container->addCompilerPass($this);
	}

	/** Whatever the order of the bundles: the FrameworkBundle has a default factory, too. */
	public function process(ContainerBuilder $container): void
	{
		if ($container->has(self::DEFAULT)) {
			$container->setAlias('lock.factory', self::DEFAULT);
			$container->setAlias(SymfonyLockFactory::class, self::DEFAULT);
		}
	}

	/** As framework.lock.resources has it: what is no DSN is a service. */
	private static function server(#[\SensitiveParameter] mixed $server, ContainerBuilder $container): mixed
	{
		if (!is_string($server)) {
			return $server;
		}
		$environment = [];
		$container->resolveEnvPlaceholders($server, null, $environment);
		$isService = $environment === [] && !str_contains($server, ':') && !in_array($server, ['', 'in-memory'], true);

		return $isService ? new Reference(ltrim($server, '@')) : $server;
	}
}
