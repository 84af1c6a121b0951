<?php
/*
 * The classes of purelightme.php, which loads this file.
 */

namespace Purelightme\RedisLock;

class RedisLock extends \RedisLock
{
	/** The package's lock without a name is "default": only here, since two such jobs exclude each other. */
	public function __construct(
		#[\SensitiveParameter] array|string $params = [],
		#[\SensitiveParameter] array $options = []
	) {
		if (\is_string($params)) {
			$params = ['url' => $params]; /* whose own name wins over the one beside it */
		}
		if (\array_is_list($params)) {
			$options['name'] ??= 'default';
		} else {
			$params['name'] ??= 'default';
		}
		parent::__construct($params, $options);
	}
}

final class SequenceTask
{
	private function __construct()
	{
	}

	public static function execute(#[\SensitiveParameter] array $config, callable $callable): mixed
	{
		if (isset($config['seconds'])) { /* of SequenceTask alone */
			$config = \array_diff_key($config, ['seconds' => 0]) + ['interval' => $config['seconds']];
		}
		try {
			return (new RedisLock($config))->synchronized($callable);
		} catch (Exception\InternalException $e) {
			throw $e;
		} catch (\RedisLock\Exception $e) { /* below PHP 8.3 */
			throw new Exception\InternalException($e->getMessage(), $e->getCode(), $e);
		}
	}

	public static function current(): ?\RedisLock
	{
		return \SequenceTask::current();
	}
}
