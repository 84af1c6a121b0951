<?php
/*
 * InternalException of purelightme.php for PHP 8.2, where it cannot be another name of RedisLock\Exception. What leaves
 * SequenceTask::execute() becomes one, with the original as its previous exception; from RedisLock the original comes as
 * it is: the package's RedisLock did not throw InternalException either.
 */

namespace Purelightme\RedisLock\Exception;

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
