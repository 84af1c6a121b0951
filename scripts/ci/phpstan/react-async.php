<?php
/*
 * What RedisLock\Async\React uses of react/async, which not every registry carries.
 */

namespace React\Async;

/**
 * @template T
 * @param \React\Promise\PromiseInterface<T> $promise
 * @return T
 */
function await(\React\Promise\PromiseInterface $promise): mixed
{
}
