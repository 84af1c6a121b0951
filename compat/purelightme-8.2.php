<?php
/*
 * The classes of purelightme.php for PHP 8.2, where class_alias() does not take classes of extensions.
 *
 * Seen from code written for the package they are the same. They differ in this: an exception of the extension that
 * leaves execute() becomes an InternalException, with the original as its previous one, and is no longer of its own
 * class. From RedisLock it comes as it is: the package's RedisLock did not throw InternalException either.
 */

namespace Purelightme\RedisLock\Exception {
	class InternalException extends \RedisLock\Exception
	{
		public function getNode(): ?string
		{
			$cause = $this->getPrevious();
			return $cause instanceof \RedisLock\Exception ? $cause->getNode() : null;
		}

		public function isRetryable(): bool
		{
			$cause = $this->getPrevious();
			return $cause instanceof \RedisLock\Exception && $cause->isRetryable();
		}
	}
}

namespace Purelightme\RedisLock {
	class RedisLock extends \RedisLock
	{
	}

	final class SequenceTask
	{
		private function __construct()
		{
		}

		public static function execute(#[\SensitiveParameter] array $config, callable $callable): mixed
		{
			try {
				return \SequenceTask::execute($config, $callable);
			} catch (Exception\InternalException $e) {
				throw $e;
			} catch (\RedisLock\Exception $e) {
				throw new Exception\InternalException($e->getMessage(), $e->getCode(), $e);
			}
		}

		public static function current(): ?\RedisLock
		{
			return \SequenceTask::current();
		}
	}
}
