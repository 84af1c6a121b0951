<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Cache\CacheManager;
use Illuminate\Cache\Repository;
use Illuminate\Console\Events\ScheduledTaskFinished;
use Illuminate\Console\Events\ScheduledTaskStarting;
use Illuminate\Console\Scheduling\EventMutex;
use Illuminate\Container\Container;
use Illuminate\Contracts\Cache\Factory as Cache;
use Illuminate\Contracts\Config\Repository as Config;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Contracts\Foundation\Application;
use Illuminate\Contracts\Redis\Factory as Redis;
use Illuminate\Queue\Events;
use Illuminate\Queue\Jobs\SyncJob;
use Illuminate\Support\ServiceProvider;
use Psr\Log\LoggerInterface;
use RedisLock\Adapter\UnitOfWork;
use RedisLock\Console\LockCommand;
use RedisLock\Console\Source;
use RedisLock\LockLostException;

/**
 * Adds the cache driver "redislock". Ends process-bound locks with the job of a queue worker that has acquired them, and under
 * Octane with the request, task or tick. Laravel finds this class by itself.
 */
class RedisLockServiceProvider extends ServiceProvider
{
	private const CONFIG = __DIR__ . '/../config/redislock.php';
	private const OCTANE = 'Laravel\Octane\Events\\';

	public function register(): void
	{
		$this->mergeConfigFrom(self::CONFIG, 'redislock');
		$this->callAfterResolving('cache', function (CacheManager $cache): void {
			// It becomes a method of the manager.
			$inMemory = $this->isTestedInMemory(...);
			$cache->extend('redislock', function (Application $app, array $config) use ($cache, $inMemory): Repository {
				/** @var array<string, mixed> $config */
				$store = $inMemory($app) ? $cache->store()->getStore()
					: RedisLockStore::fromConfig($app->make(Config::class), $app->make(Redis::class), $config);

				return $cache->repository($store, $config);
			});
		});
		// Of every store, and in place of the method of ours.
		Repository::macro('processLock', function ($name, $seconds = 0, $owner = null): BoundLock {
			/** @var Repository $this */
			/** @var string|int|float|bool|\Stringable|null $name */
			/** @var int|float|string $seconds */
			/** @var string|int|float|\Stringable|null $owner */
			return Container::getInstance()->make(ProcessStores::class)->lock($this->getStore(), (string) $name, $seconds, $owner);
		});
		$this->app->singleton(ProcessStores::class, fn (Application $app) => new ProcessStores($app->make(Cache::class), $app->make(Config::class)));
		if ($this->isOn('scheduler')) {
			$this->app->singleton(EventMutex::class, ProcessEventMutex::class);
		}
	}

	public function boot(Dispatcher $events): void
	{
		if ($this->app->runningUnitTests()) {
			// Each test has an application of its own.
			ProcessLock::endAll();
		}
		$this->publishes([self::CONFIG => $this->app->configPath('redislock.php')], 'redislock-config');
		$this->endLocks($events);
		$this->addCommands();
		if ($this->app->runningInConsole() && $this->isOn('scheduler')) {
			$this->commands([HoldCommand::class]);
			foreach ([ScheduledTaskStarting::class, ScheduledTaskFinished::class] as $event) {
				$events->listen($event, function (): void {
					$mutex = $this->app->make(EventMutex::class);
					$mutex instanceof ProcessEventMutex && $mutex->settle();
				});
			}
			$this->takeOver();
		}
	}

	/** Those of redislock/console, but for "run", for the locks of the application. */
	private function addCommands(): void
	{
		if (!$this->app->runningInConsole() || !interface_exists(Source::class)) {
			return;
		}
		foreach (LockCommand::ANYWHERE as $name => $class) {
			$this->app->bind($class, fn (Application $app) => new $class($app->make(StoreSource::class), "redislock:$name"));
			$this->commands([$class]);
		}
	}

	/** The tests of an application whose cache is in memory do without a server, whatever store the code names. */
	private function isTestedInMemory(Application $app): bool
	{
		$config = $app->make(Config::class);
		/** @var string|null $default */
		$default = $config->get('cache.default');

		return $app->runningUnitTests() && $this->isOn('memory_in_tests') && $config->get("cache.stores.$default.driver") === 'array';
	}

	private function isOn(string $part): bool
	{
		return filter_var($this->app->make(Config::class)->get("redislock.$part"), FILTER_VALIDATE_BOOL);
	}

	/** If this process is a scheduled command, takes over its lock; at the end, schedule:finish or schedule:run releases it. */
	private function takeOver(): void
	{
		$announced = HandedOnLock::announced();
		/** @var list<string> $arguments */
		$arguments = $_SERVER['argv'] ?? [];
		if ($announced === null || $announced->argument !== ($arguments[1] ?? null)) {
			return;
		}
		HandedOnLock::withdraw();
		$lock = $this->app->make(ProcessStores::class)->find($announced->store)?->processLock($announced->name, 0, $announced->owner);
		if ($lock === null) {
			return;
		}
		if (!$lock->adopt()) {
			throw new LockLostException("lock \"$announced->name\" was lost before its command had started");
		}
		$giveAway = static function () use ($lock, $announced): void {
			try {
				$announced->isAwaited() ? $lock->giveAway() : $lock->release();
			} catch (\LogicException | \RedisLock\Exception) {
				// It was lost, or this is a forked copy.
			}
		};
		// Behind all others.
		register_shutdown_function(register_shutdown_function(...), $giveAway);
	}

	/** Has locks end with what has acquired them, in processes that serve many. */
	private function endLocks(Dispatcher $events): void
	{
		foreach (['Request', 'Task', 'Tick'] as $operation) {
			$events->listen(self::OCTANE . "{$operation}Received", $this->beginRequest(...));
			$events->listen(self::OCTANE . "{$operation}Terminated", $this->endRequest(...));
		}
		// In place of "terminated".
		$events->listen(self::OCTANE . 'WorkerErrorOccurred', $this->endRequest(...));

		$events->listen(Events\JobProcessing::class, $this->beginJob(...));
		// A job that has failed is released to the next worker after the second of them. The last one comes in any case.
		foreach ([Events\JobProcessed::class, Events\JobExceptionOccurred::class, Events\JobAttempted::class] as $event) {
			$events->listen($event, $this->endJob(...));
		}
	}

	private function beginRequest(object $event): void
	{
		$this->endRequest($event);
		UnitOfWork::begin();
	}

	private function endRequest(object $event): void
	{
		/** @var object{sandbox: Application} $event those of Octane have it */
		UnitOfWork::end(fn (): LoggerInterface => $event->sandbox->make(LoggerInterface::class));
	}

	private function beginJob(Events\JobProcessing $event): void
	{
		if (!$event->job instanceof SyncJob) {
			UnitOfWork::begin();
		}
	}

	private function endJob(Events\JobProcessed|Events\JobExceptionOccurred|Events\JobAttempted $event): void
	{
		// One of those is part of the request or job that runs it.
		if (!$event->job instanceof SyncJob) {
			UnitOfWork::end(fn () => $this->app->make(LoggerInterface::class), 'job');
		}
	}
}
