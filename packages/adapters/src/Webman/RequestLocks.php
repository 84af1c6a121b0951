<?php

declare(strict_types=1);

namespace RedisLock\Webman;

use support\Log;
use Webman\Http\Request;
use Webman\Http\Response;
use Webman\MiddlewareInterface;

/**
 * Middleware of webman, whose workers serve many requests: a process-bound lock ends with the request that has acquired it, also
 * if a static variable or the container still has its object. The log names what a request has left behind.
 */
class RequestLocks implements MiddlewareInterface
{
	/** @param callable(Request): Response $handler */
	public function process(Request $request, callable $handler): Response
	{
		\RedisLock\Adapter\RequestLocks::begin();
		try {
			return $handler($request);
		} finally {
			\RedisLock\Adapter\RequestLocks::end(static fn () => Log::channel());
		}
	}
}
