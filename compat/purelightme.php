<?php
/*
 * Lets code written for the Composer package purelightme/redis-lock run on this extension, unchanged:
 *
 *     Purelightme\RedisLock\RedisLock                      is  RedisLock
 *     Purelightme\RedisLock\SequenceTask                   is  SequenceTask
 *     Purelightme\RedisLock\Exception\InternalException    is  RedisLock\Exception
 *
 * Require this file, or name it under "autoload": {"files": [...]} in composer.json, and remove the package. It may
 * be loaded more than once. Without the extension loading it does nothing; an error that says so comes when one of
 * the classes is wanted and nobody else supplies it.
 */

namespace Purelightme\RedisLock;

if (!\extension_loaded('redislock')) {
	\spl_autoload_register(static function (string $class): void {
		$ours = [RedisLock::class, SequenceTask::class, Exception\InternalException::class];
		if (\in_array(\strtolower($class), \array_map(\strtolower(...), $ours), true)) {
			throw new \Error("Class \"$class\" needs the PHP extension redislock, which is not loaded");
		}
	});
	return;
}

if (\PHP_VERSION_ID < 80300) {
	require_once __DIR__ . '/purelightme-8.2.php';
	return;
}

foreach ([
	RedisLock::class => \RedisLock::class,
	SequenceTask::class => \SequenceTask::class,
	Exception\InternalException::class => \RedisLock\Exception::class,
] as $alias => $class) {
	if (!\class_exists($alias, false)) {
		\class_alias($class, $alias);
	}
}
