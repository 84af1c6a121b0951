<?php

declare(strict_types=1);

namespace RedisLock\PHPStan;

use Illuminate\Support\Facades\Cache;
use PHPStan\Reflection\ClassMemberReflection;
use PHPStan\Reflection\ClassReflection;
use PHPStan\Reflection\ExtendedMethodReflection;
use PHPStan\Reflection\FunctionVariant;
use PHPStan\Reflection\MethodReflection;
use PHPStan\TrinaryLogic;
use PHPStan\Type\Generic\TemplateTypeMap;
use PHPStan\Type\Type;

/**
 * processLock() of a cache: what ProcessStores::lock() is, less the store.
 *
 * @internal
 */
final class LaravelCacheMethod implements MethodReflection
{
	public function __construct(private readonly ClassReflection $class, private readonly ExtendedMethodReflection $lock)
	{
	}

	public function getName(): string
	{
		return 'processLock';
	}

	public function getDeclaringClass(): ClassReflection
	{
		return $this->class;
	}

	public function isStatic(): bool
	{
		return $this->class->is(Cache::class);
	}

	public function isPrivate(): bool
	{
		return false;
	}

	public function isPublic(): bool
	{
		return true;
	}

	public function getDocComment(): ?string
	{
		return null;
	}

	public function getPrototype(): ClassMemberReflection
	{
		return $this;
	}

	public function getVariants(): array
	{
		$lock = $this->lock->getVariants()[0];

		return [new FunctionVariant(TemplateTypeMap::createEmpty(), null, array_slice($lock->getParameters(), 1), false, $lock->getReturnType())];
	}

	public function isDeprecated(): TrinaryLogic
	{
		return TrinaryLogic::createNo();
	}

	public function getDeprecatedDescription(): ?string
	{
		return null;
	}

	public function isFinal(): TrinaryLogic
	{
		return TrinaryLogic::createNo();
	}

	public function isInternal(): TrinaryLogic
	{
		return TrinaryLogic::createNo();
	}

	public function getThrowType(): ?Type
	{
		return $this->lock->getThrowType();
	}

	public function hasSideEffects(): TrinaryLogic
	{
		return TrinaryLogic::createYes();
	}
}
