<?php
/*
 * Lets code written for the Composer package purelightme/redis-lock run on this extension, unchanged:
 *
 *     Purelightme\RedisLock\RedisLock                      is a  RedisLock, whose name is "default" where none is given
 *     Purelightme\RedisLock\SequenceTask                   does what SequenceTask does, under such a lock
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
	/* class_alias() does not take classes of extensions here. */
	require_once __DIR__ . '/purelightme-8.2.php';
} elseif (!\class_exists(Exception\InternalException::class, false)) {
	\class_alias(\RedisLock\Exception::class, Exception\InternalException::class);
}
require_once __DIR__ . '/purelightme-classes.php';
