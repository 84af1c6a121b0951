<?php

declare(strict_types=1);

namespace RedisLock\Adapter;

/** @internal What others call our options. */
final class Spellings
{
	/** Flat spellings of others that the extension does not have, by our name; "": cannot change what a lock means */
	private const FOREIGN = ['redis_sentinel' => 'service', 'sentinel_master' => 'service', 'sentinel_service' => 'service',
		'sentinel' => 'service', 'redis_cluster' => 'cluster', 'sentinel_timeout' => '', 'sentinel_read_timeout' => '',
		'sentinel_retry_interval' => '', 'sentinel_persistent' => '', 'cluster_command_timeout' => '', 'cluster_relay_context' => ''];

	/** By our names. Two spellings of one option must not differ. What no client knows stays, and is refused as unknown later. */
	public static function named(#[\SensitiveParameter] array $given): array
	{
		$named = $spelt = [];
		foreach (self::parts($given) as [$key, $name, $value]) {
			if ($name === 'retryInterval' && is_numeric($value)) {
				[$name, $value] = ['retry_interval', (int) ceil($value / 1000)]; // Yii's is in microseconds
			}
			if (isset($named[$name], $spelt[$name], $value) && $named[$name] != $value) {
				throw new \ValueError("options \"$spelt[$name]\" and \"$key\" contradict each other");
			}
			$named[$name] = $value ?? $named[$name] ?? null;
			$spelt[$name] = $key;
		}

		return $named;
	}

	/** @return iterable<array{string, string, mixed}> spelling, our name and value of each option that has an effect */
	private static function parts(#[\SensitiveParameter] array $given): iterable
	{
		foreach ($given as $key => $value) {
			$name = self::own((string) $key);
			if ($name === 'auth') {
				foreach (self::login($value) as $part => $credential) {
					yield ['auth', $part, $credential];
				}
			} elseif ($name === null && ($value === null || is_array($value))) {
				throw OptionTable::unknown((string) $key);
			} elseif ($name !== '') {
				yield [(string) $key, $name ?? (string) $key, $value];
			}
		}
	}

	/** `auth` is a password, [password], [user, password], or an array with the two by name. */
	private static function login(#[\SensitiveParameter] mixed $auth): array
	{
		if (!is_array($auth)) {
			return $auth === null || $auth === false ? ['username' => null, 'password' => null] : ['password' => $auth];
		}
		if ($auth !== [] && !array_is_list($auth)) {
			$auth = self::known($auth);
			if (array_diff_key($auth, ['username' => 0, 'password' => 0]) !== []) {
				throw new \ValueError('option "auth" must be ' . OptionTable::AUTH . ', or an array with "user" and "pass"');
			}

			return $auth;
		}
		if (count($auth) > 2) {
			throw new \ValueError('option "auth" must be ' . OptionTable::AUTH . ', or an array with "user" and "pass"');
		}

		return ['password' => $auth === [] ? null : end($auth)] + (count($auth) === 2 && ($auth[0] ?? '') !== '' ? ['username' => $auth[0]] : []);
	}

	/** What is there under our names, without a check. */
	public static function known(#[\SensitiveParameter] array $given): array
	{
		$known = [];
		foreach ($given as $key => $value) {
			$known[self::own((string) $key) ?? (string) $key] ??= $value;
		}

		return $known;
	}

	/** @return array without those that are null, which are not given */
	public static function given(#[\SensitiveParameter] array $options): array
	{
		return array_filter($options, static fn (mixed $option): bool => $option !== null);
	}

	/** Our name of an option; "": it has no effect; null: there is none of this spelling. */
	public static function own(string $key): ?string
	{
		return self::FOREIGN[$key] ?? OptionTable::names()[$key] ?? null;
	}
}
