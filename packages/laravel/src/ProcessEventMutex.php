<?php

declare(strict_types=1);

namespace RedisLock\Laravel;

use Illuminate\Console\Application;
use Illuminate\Console\Scheduling\CacheEventMutex;
use Illuminate\Console\Scheduling\CallbackEvent;
use Illuminate\Console\Scheduling\Event;
use Illuminate\Contracts\Cache\Factory;
use Illuminate\Support\ProcessUtils;
use RedisLock\LockLostException;

/**
 * withoutOverlapping() of the scheduler, with locks that live as long as the task: a task that is killed may run again at once.
 *
 * Whose the lock is by then, and where the expiry counts, is in docs/guide/laravel.md, "Scheduler".
 */
class ProcessEventMutex extends CacheEventMutex
{
	/** Seconds: how long a command may take to start. */
	private const START = 60;

	/** @var array<string, Lock> what this process has acquired, by name */
	private array $taken = [];
	/** @var \WeakMap<Event, true> those that call $starts */
	private \WeakMap $prepared;
	/** Hands on the lock of the event whose command is about to start. */
	private ?\Closure $starts = null;
	/** Puts back what was changed to run an event. */
	private ?\Closure $restore = null;

	public function __construct(Factory $cache, private readonly ProcessStores $stores)
	{
		parent::__construct($cache);
		$this->prepared = new \WeakMap();
	}

	public function create(Event $event)
	{
		$store = $this->stores->find($this->store);
		if ($store === null) {
			return parent::create($event);
		}
		$this->settle();
		$name = $event->mutexName();
		$argument = $this->argument($event);
		$lock = $argument === null && $event->runInBackground ? $store->lease($name, $event->expiresAt * 60) : $store->processLock($name);
		if (!$lock->acquire()) {
			return false;
		}
		$this->taken[$name] = $lock;
		if ($argument !== null && $lock instanceof ProcessLock) {
			$lease = $store->lease($name, self::isCertain() ? min(self::START, $event->expiresAt * 60) : $event->expiresAt * 60, $lock->owner());
			$this->starts = fn () => $this->handOn($event, $argument, $name, $lock, $lease);
			// Behind those of the application, so immediately before the command starts.
			if (!isset($this->prepared[$event])) {
				$event->before($this->start(...));
				$this->prepared[$event] = true;
			}
		}

		return true;
	}

	public function exists(Event $event)
	{
		$store = $this->stores->find($this->store);

		return $store === null ? parent::exists($event) : !$store->lease($event->mutexName())->isOwnedBy(null);
	}

	public function forget(Event $event)
	{
		$store = $this->stores->find($this->store);
		if ($store === null) {
			parent::forget($event);

			return;
		}
		$name = $event->mutexName();
		$lock = $this->taken[$name] ?? null;
		unset($this->taken[$name]);
		$announced = HandedOnLock::announced();
		if ($lock === null && $announced?->name === $name) {
			$lock = $store->lease($name, 0, $announced->owner);
		}
		// By its owner, where that is known: the task may have been killed, and another one have begun.
		$lock === null ? $store->lease($name)->forceRelease() : $lock->release();
	}

	/** Nothing that is started from here on is a task that was created before. */
	public function settle(): void
	{
		HandedOnLock::withdraw();
		$this->restore?->__invoke();
		$this->starts = $this->restore = null;
	}

	private function start(): void
	{
		$this->starts?->__invoke();
	}

	/** The first argument of the artisan command that will hold the lock of this event; null: none will. */
	private function argument(Event $event): ?string
	{
		if ($event instanceof CallbackEvent || $event->user || windows_os()) {
			return null;
		}
		$artisan = Application::formatCommandString('');
		if (str_starts_with((string) $event->command, $artisan)) {
			return trim(explode(' ', substr((string) $event->command, strlen($artisan)), 2)[0], '\'"') ?: null;
		}

		return HoldCommand::NAME;
	}

	private function handOn(Event $event, string $argument, string $name, ProcessLock $lock, Lock $lease): void
	{
		$lock->giveAway();
		// First: also if the server does not answer, forget() releases it.
		$this->taken[$name] = $lease;
		if (!$lease->refresh()) {
			throw new LockLostException("lock \"$name\" was lost before its command had started");
		}
		HandedOnLock::announce($argument, $this->store, $name, $lock->owner(), !$event->runInBackground);
		if ($argument === HoldCommand::NAME) {
			[$command, $resolver] = [$event->command, $event->mutexNameResolver];
			$this->restore = static function () use ($event, $command, $resolver): void {
				[$event->command, $event->mutexNameResolver] = [$command, $resolver];
			};
			$event->createMutexNameUsing($name);
			$event->command = Application::formatCommandString(HoldCommand::NAME) . ($event->runInBackground ? ' --background ' : ' ') . ProcessUtils::escapeArgument((string) $command);
		}
	}

	/** Whether the command is run by this PHP, so that it is sure to have our environment. */
	private static function isCertain(): bool
	{
		return Application::phpBinary() === ProcessUtils::escapeArgument(PHP_BINARY);
	}
}
