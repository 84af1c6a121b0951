<?php

declare(strict_types=1);

namespace RedisLock\PHPStan;

use Illuminate\Cache\Repository;
use Illuminate\Support\Facades\Cache;
use PHPStan\Reflection\ClassReflection;
use PHPStan\Reflection\MethodReflection;
use PHPStan\Reflection\MethodsClassReflectionExtension;
use PHPStan\Reflection\ReflectionProvider;

/** Tells PHPStan of the method processLock() of Laravel's caches, which the service provider adds. */
final class LaravelCacheMethods implements MethodsClassReflectionExtension
{
	public function __construct(private readonly ReflectionProvider $classes)
	{
	}

	public function hasMethod(ClassReflection $classReflection, string $methodName): bool
	{
		return $methodName === 'processLock' && ($classReflection->is(Repository::class) || $classReflection->is(Cache::class) ||
			$classReflection->is(\Illuminate\Contracts\Cache\Repository::class));
	}

	public function getMethod(ClassReflection $classReflection, string $methodName): MethodReflection
	{
		$like = $classReflection->is(Cache::class) ? LaravelCacheFacade::class : LaravelCache::class;

		return $this->classes->getClass($like)->getNativeMethod($methodName);
	}
}
