<?php

declare(strict_types=1);

namespace RedisLock\Symfony;

/**
 * @internal Options of \RedisLock as a service: an array cannot be one, and dumps must not show the password.
 * @phpstan-import-type Options from \RedisLock
 */
final class StoreOptions
{
	private readonly \SensitiveParameterValue $options;

	/** @param Options|null $options null: the locks are in memory */
	public function __construct(#[\SensitiveParameter] ?array $options)
	{
		$this->options = new \SensitiveParameterValue($options);
	}

	/**
	 * @return Options
	 * @throws \InvalidArgumentException the locks are in memory
	 */
	public function get(): array
	{
		/** @var Options|null $options */
		$options = $this->options->getValue();

		return $options ?? throw new \InvalidArgumentException('These locks are in memory, where nobody else sees them.');
	}
}
