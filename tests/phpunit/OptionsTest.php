<?php

declare(strict_types=1);

use PHPUnit\Framework\Attributes\DataProvider;
use PHPUnit\Framework\TestCase;
use RedisLock\Adapter\LockOptions;
use RedisLock\Options;
use RedisLock\Testing\ArrayLockFactory;

/**
 * Options::from(): what other libraries have, as options of ours; and the table of options in PHP beside that of the extension. A new
 * key of theirs is a row here.
 */
final class OptionsTest extends TestCase
{
	private const UNNAMED = 'a list of servers needs "service" (sentinels) or "cluster" => true beside it; options of one server have their names as keys';
	private const NOTHING = ' must name a server, and names none; the default server is never used instead';
	private const CLEAR = 'options of TLS are given, but the scheme is one of clear text; "tls" and "rediss" are those with TLS';
	private const NO_PORT = 'the URI has a port that is no number; an IPv6 address is written in brackets, and ":", "/" and "?" in a password percent-encoded';

	/** @return array<string, list<array{mixed, array<string, mixed>|string}>> what is given, and its options or the message of an error */
	private static function rows(): array
	{
		$two = [['host' => 'a', 'port' => '26379', 'scheme' => 'tcp'], ['host' => 'b', 'port' => '26379', 'scheme' => 'tcp']];
		$uris = ['tcp://a:26379', 'tcp://b:26379'];
		$laravel = ['client' => 'phpredis', 'options' => ['cluster' => 'redis', 'prefix' => 'app-', 'persistent' => false],
			'default' => ['url' => '', 'host' => 'h', 'username' => '', 'password' => 12345, 'port' => '6379', 'database' => '2'],
			'cache' => ['url' => null, 'host' => 'x', 'database' => '1'], 'queue' => ['host' => 'x', 'whatever' => 1],
			'clusters' => ['other' => [['host' => 'x']]]];
		$read = ['host' => 'h', 'username' => '', 'password' => 12345, 'port' => '6379', 'database' => '2', 'prefix' => 'app-'];

		return [
			'URI' => [
				['redis://localhost', ['host' => 'localhost', 'scheme' => 'tcp']],
				['redis://u:p%40@h:7/3?ttl=5&prefix=a%3A+b', ['username' => 'u', 'password' => 'p@', 'database' => '3', 'ttl' => '5', 'prefix' => 'a: b', 'host' => 'h', 'port' => '7', 'scheme' => 'tcp']],
				['redis://[::1]:7/2', ['database' => '2', 'host' => '[::1]', 'port' => '7', 'scheme' => 'tcp']],
				['localhost:7000', ['host' => 'localhost', 'port' => '7000']],
				[['url' => 'h:7000', 'useSSL' => false], ['host' => 'h', 'port' => '7000']],
				['redis://h?host=b', 'option "host" is given twice, with different values, one of them in the URI'],
				['unix:/s?database=1', ['path' => '/s', 'database' => '1', 'scheme' => 'unix']],
				['unix://u:p@/run/a@b', ['username' => 'u', 'password' => 'p', 'path' => '/run/a@b', 'scheme' => 'unix']],
				['valkeys://h?ssl[cafile]=/x', ['ssl' => ['cafile' => '/x'], 'host' => 'h', 'scheme' => 'tls']],
				['', 'the URI' . self::NOTHING],
				["\n", 'the URI' . self::NOTHING],
				['redis://:6379/0', 'the URI must name a host; a socket is "unix:/run/redis.sock"; the default server is never used instead'],
				['h', 'the URI must be a server, as "tcp://host:port" and "host:port" are; a lock\'s name goes into "name"'],
				['http://h', 'the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys'],
				['redis://h/x', 'the URI must have nothing but the number of a database behind its host; a socket is "unix:/run/redis.sock"'],
				['redis://h1,h2', 'the host of the URI must be a host name, an IPv4 or IPv6 address, or the absolute path of a socket, without port, user or password'],
				['redis://h?ttl=1&ttl=2', 'option "ttl" is given twice, with different values, one of them in the URI'],
				['redis://h?ssl[cafile]=/x', self::CLEAR],
				['redis://h?options[prefix]=x', 'unknown option "options[prefix]"'],
			],
			'no piece of a password is told' => [
				['redis://u:s3@cret@h', 'the URI has more than one "@"; in a user name or password it is written "%40"'],
				['redis://:s3cret/x@h', 'the URI has an "@" in its path; a "/" in a user name or password is written "%2F"'],
				['redis://:s3cret?x@h', self::NO_PORT],
				['redis://u:70007?s3cret@h', 'unknown option in the query of the URI'],
				['redis://:s3cret#x@h', 'the URI must not contain "#", which is written "%23"'],
				['redis://:s3cret%@h', 'the URI has a broken percent-encoding; a "%" itself is written "%25"'],
				['redis://h?password=x&s3cret', 'unknown option in the query of the URI'],
				['s3cret://h', 'the scheme of the URI must be one of tcp, redis, valkey, unix, tls, rediss, valkeys'],
				[['url' => 'redis://s3cret@h'], 'option "url" has no ":" in front of its "@": a user or a password? Write ":password@" or "user:password@"'],
			],
			'Symfony' => [
				['redis://secret@example.com/13', ['username' => '', 'password' => 'secret', 'database' => '13', 'host' => 'example.com', 'scheme' => 'tcp']],
				['redis:///var/run/redis.sock', ['path' => '/var/run/redis.sock', 'scheme' => 'unix']],
				['redis://secret@/var/run/redis.sock/13', ['username' => '', 'password' => 'secret', 'database' => '13', 'path' => '/var/run/redis.sock', 'scheme' => 'unix']],
				['rediss:///s', 'the URI asks for TLS on a unix socket, where there is none'],
				['redis:?host[h:7]&dbindex=2', ['database' => '2', 'host' => 'h', 'port' => '7', 'scheme' => 'tcp']],
				['redis:?host[/s:]', ['path' => '/s', 'scheme' => 'unix']],
				['redis:?host[h]=alias%3Dy', ['host' => 'h', 'scheme' => 'tcp']],
				['redis:?host[h][weight]=2', ['host' => 'h', 'scheme' => 'tcp']],
				['redis:?host[h][port]=7', 'option "host" of the URI must be host[name:port], without parameters of its own'],
				['redis:?host[]', 'the host of the URI' . self::NOTHING],
				['redis://:pw@h?auth=other', ['username' => '', 'password' => 'other', 'host' => 'h', 'scheme' => 'tcp']],
				['redis://h?auth[]=u&auth[]=p', ['username' => 'u', 'password' => 'p', 'host' => 'h', 'scheme' => 'tcp']],
				['redis:?host[h1]&host[h2:26380]&redis_sentinel=m&auth=p', ['service' => 'm', 'sentinel_username' => '', 'sentinel_password' => 'p', 'username' => '', 'password' => 'p',
					'scheme' => 'tcp', 'sentinels' => [['host' => 'h1'], ['host' => 'h2', 'port' => '26380']]]],
				['redis://u:p@h1/2?host[h2:26380]&sentinel=m&auth=x', ['username' => 'u', 'password' => 'p', 'database' => '2', 'service' => 'm', 'sentinel_username' => '',
					'sentinel_password' => 'x', 'scheme' => 'tcp', 'sentinels' => [['host' => 'h1'], ['host' => 'h2', 'port' => '26380']]]],
				['redis:///s?host[b:7]&cluster=1&auth[]=u&auth[]=p', ['cluster' => [['path' => '/s'], ['host' => 'b', 'port' => '7']], 'username' => 'u', 'password' => 'p', 'scheme' => 'tcp']],
				['rediss:?host[a]&host[b]&sentinel_master=m&ssl[cafile]=/x', ['service' => 'm', 'ssl' => ['cafile' => '/x'], 'scheme' => 'tls', 'sentinels' => [['host' => 'a'], ['host' => 'b']]]],
				['redis://h?redis_cluster=1', ['cluster' => '1', 'host' => 'h', 'scheme' => 'tcp']],
				['redis://h?class=Redis&persistent_id=x&lazy=1&failover=none&tcp_keepalive=0&cluster_command_timeout=0&cluster_relay_context[a]=1&compression[x]=1', ['host' => 'h', 'scheme' => 'tcp']],
				['redis:?host[a]&host[b]', self::UNNAMED],
				['redis:?host[a]&host[b]&cluster=1&sentinel=m', 'a configuration cannot be of sentinels and of a Cluster at once'],
			],
			'Laravel' => [
				[$laravel, $read],
				[['name' => 'job', 'ttl' => 5] + $laravel, ['name' => 'job', 'ttl' => 5] + $read],
				[['default' => ['prefix' => 'own:'] + $laravel['default']] + $laravel, ['prefix' => 'own:'] + $read],
				[['default' => ['options' => ['prefix' => 'own:']] + $laravel['default']] + $laravel, ['prefix' => 'own:'] + $read],
				[['default' => 'redis://u:p@a:7/1', 'options' => ['prefix' => 'app-']], ['username' => 'u', 'password' => 'p', 'database' => '1', 'host' => 'a', 'port' => '7', 'scheme' => 'tcp', 'prefix' => 'app-']],
				[['default' => ['host' => 'h'], 'options' => ['parameters' => ['default' => ['password' => 'p'], 'cache' => ['password' => 'x']]]], ['host' => 'h', 'password' => 'p']],
				[['default' => ['host' => 'h', 'password' => 'p', 'ssl' => ['verify_peer' => false]]], ['host' => 'h', 'password' => 'p']],
				[['default' => ['host' => 'tls://h', 'ssl' => ['cafile' => 'x']]], ['scheme' => 'tls', 'host' => 'h', 'ssl' => ['cafile' => 'x']]],
				[['default' => ['host' => 'h', 'name' => 'worker']], ['host' => 'h', 'client_name' => 'worker']],
				[['default' => [...$uris, 'options' => ['replication' => 'sentinel', 'service' => 'm', 'parameters' => ['password' => 'p']]], 'options' => ['prefix' => 'l:']],
					['prefix' => 'l:', 'service' => 'm', 'password' => 'p', 'sentinels' => $two]],
				[['default' => ['host' => 'a'], 'ssl' => ['cafile' => 'x'], 'cluster' => ['host' => 'x']], ['host' => 'a', 'ssl' => ['cafile' => 'x']]],
				[['default' => ['host' => 'a'], 'host' => 'b'], 'option "host" is given twice, with different values'],
				[['default' => ['url' => '']], 'option "url"' . self::NOTHING],
				[['clusters' => ['default' => [['host' => 'a']]]], 'unknown option "clusters", did you mean "cluster"?'],
				// One connection, with the options of all merged in.
				[['url' => null, 'host' => '127.0.0.1', 'username' => null, 'password' => null, 'port' => '6379', 'database' => '0', 'max_retries' => 3,
					'backoff_algorithm' => 'decorrelated_jitter', 'backoff_base' => 100, 'backoff_cap' => 1000, 'options' => ['cluster' => 'redis', 'prefix' => 'p-', 'serializer' => 1]],
					['host' => '127.0.0.1', 'port' => '6379', 'database' => '0', 'retries' => 3, 'prefix' => 'p-']],
				[['url' => 'redis://:p@a:7/1', 'host' => 'h', 'port' => 6379, 'database' => 2, 'username' => 'x', 'password' => 'y'],
					['username' => '', 'password' => 'p', 'database' => '1', 'host' => 'a', 'port' => '7', 'scheme' => 'tcp']],
				[['url' => 'redis://a', 'scheme' => 'tls'], 'option "scheme" asks for TLS, and option "url" beside it for clear text'],
				[['url' => 'redis://a', 'ssl' => ['cafile' => 'x']], self::CLEAR],
				[['url' => ''], 'option "url"' . self::NOTHING],
				[['url' => '', 'port' => 6380], 'option "url"' . self::NOTHING],
				[['url' => 5], 'option "url" must be a string, int given'],
			],
			'Predis' => [
				[['scheme' => 'tcp', 'host' => 'h', 'port' => 6379, 'timeout' => 5.0, 'read_write_timeout' => -1, 'persistent' => true, 'conn_uid' => 'x', 'alias' => 'first', 'ssl' => []],
					['scheme' => 'tcp', 'host' => 'h', 'port' => 6379, 'timeout' => 5.0, 'read_write_timeout' => -1, 'persistent' => true]],
				[['host' => 'h', 'retry' => new ArrayObject], ['host' => 'h']],
				[['host' => 'h', 'options' => ['prefix' => 'a:', 'parameters' => ['password' => 'p', 'database' => 3]]], ['host' => 'h', 'prefix' => 'a:', 'password' => 'p', 'database' => 3]],
				[['path' => '/s', 'options' => ['parameters' => ['host' => 'g', 'password' => 'p']]], ['path' => '/s', 'password' => 'p']],
				[['host' => 'h', 'prefix' => '', 'options' => ['prefix' => 'a:']], ['host' => 'h', 'prefix' => '']],
				[[...$uris, 'options' => ['replication' => 'sentinel', 'service' => 'm', 'parameters' => ['password' => 'p']]], ['service' => 'm', 'password' => 'p', 'sentinels' => $two]],
				[[...$uris, 'options' => ['cluster' => 'redis']], ['cluster' => $two]],
				[[['host' => 'a', 'weight' => 2, 'password' => 'p'], ['host' => 'b', 'password' => 'p'], 'cluster' => true], ['cluster' => [['host' => 'a'], ['host' => 'b']], 'password' => 'p']],
				[[['host' => 'a', 'password' => 'p'], ['host' => 'b', 'password' => 'q'], 'cluster' => true], 'option "password" must be the same for all nodes of a Cluster; give it beside the list'],
				[$uris, self::UNNAMED],
				[['servers' => [['host' => 'a', 'weight' => 2], 'b:7', ['c', 7, 0.05]]], ['servers' => [['host' => 'a'], 'b:7', ['c', 7, 0.05]]]],
				[['replication' => 'predis'], 'option "replication" asks for replication without sentinels, which is not supported'],
				[['options' => 'x'], 'option "options" must be an array, string given'],
				[['options' => ['parameters' => ['tcp://h']]], 'option "options.parameters" must be an array of connection options'],
				[['options' => ['parameters' => ['options' => []]]], 'option "options.parameters" must be an array of connection options'],
				[['options' => ['prefix' => new ArrayObject]], 'option "options.prefix" must be a string, ArrayObject given'],
				[['options' => ['password' => 's3cret']], 'option "options.password" must be given beside "options", not in it'],
				[['options' => ['cluster' => ['a']]], 'option "options.cluster" must be given beside "options", not in it'],
				[['options' => ['ssl' => ['cafile' => 'x']]], 'option "options.ssl" must be given beside "options", not in it'],
				[['host' => 'h', 'options' => ['cluster' => 'redis', 'ssl' => [], 'whatever' => 1]], ['host' => 'h']],
			],
			'phpredis' => [
				[['host' => 'h', 'readTimeout' => 2.5, 'connectTimeout' => 2.5, 'retryInterval' => 1500, 'persistent' => 'pool', 'auth' => ['u', 'p'], 'backoff' => ['algorithm' => 1]],
					['host' => 'h', 'read_write_timeout' => 2.5, 'timeout' => 2.5, 'retry_interval' => 2, 'persistent' => 'pool', 'password' => 'p', 'username' => 'u']],
				[['host' => 'h', 'auth' => ['user' => 'u', 'pass' => 'p']], ['host' => 'h', 'username' => 'u', 'password' => 'p']],
				[['host' => 'h', 'auth' => 'p'], ['host' => 'h', 'password' => 'p']],
				[['host' => 'h', 'auth' => [null, 'p']], ['host' => 'h', 'password' => 'p']],
				[['host' => 'h', 'auth' => []], ['host' => 'h']],
				[['auth' => 's3cret', 'password' => 'q'], 'options "auth" and "password" contradict each other'],
				[['auth' => ['user' => 'u', 'passwort' => 's3cret']], 'option "auth" must be a password, or a list of user and password, or an array with "user" and "pass"'],
				[['host' => 'h', 'context' => ['stream' => ['cafile' => 'x'], 'auth' => ['u', 'p'], 'socket' => ['bindto' => 1]]], ['host' => 'h', 'ssl' => ['cafile' => 'x'], 'password' => 'p', 'username' => 'u']],
				[['host' => 'tls://h', 'context' => ['ssl' => ['cafile' => 'x']]], ['scheme' => 'tls', 'host' => 'h', 'ssl' => ['cafile' => 'x']]],
				[['context' => ['http' => ['proxy' => 'a']]], 'option "context.http" is not supported; only ssl and stream are'],
				[['context' => 'a'], 'option "context" must be an array, string given'],
				[['ssl' => ['cafile' => '/a'], 'context' => ['ssl' => ['cafile' => '/b']]], 'options "context.ssl" and "ssl" contradict each other'],
				[['host' => 'h', 'scheme' => 'tcp', 'ssl' => ['cafile' => 'x']], ['host' => 'h', 'scheme' => 'tcp']],
				[['host' => 'tcp://h', 'context' => ['stream' => ['cafile' => 'x']]], ['scheme' => 'tcp', 'host' => 'h']],
				[['host' => '/s', 'port' => 0], ['path' => '/s']],
				[['host' => 'unix:///s', 'port' => -1, 'scheme' => 'unix'], ['scheme' => 'unix', 'path' => '/s']],
				[['host' => 'tls://h', 'scheme' => 'tcp'], 'options "scheme" and "host" contradict each other'],
			],
			'Yii 2' => [
				[['class' => 'yii\redis\Connection', 'hostname' => 'h', 'port' => 6379, 'unixSocket' => null, 'username' => null, 'password' => 'p', 'database' => 2,
					'connectionTimeout' => 2, 'dataTimeout' => 2.5, 'useSSL' => false, 'contextOptions' => [], 'socketClientFlags' => STREAM_CLIENT_CONNECT, 'retries' => 1,
					'retryInterval' => 1000, 'redirectConnectionString' => null, 'redisCommands' => ['GET']],
					['host' => 'h', 'port' => 6379, 'password' => 'p', 'database' => 2, 'timeout' => 2, 'read_write_timeout' => 2.5, 'retries' => 1, 'retry_interval' => 1]],
				[['hostname' => 'h', 'port' => 6379, 'unixSocket' => '/s'], ['path' => '/s']],
				[['hostname' => 'h', 'scheme' => 'tcp', 'useSSL' => true, 'contextOptions' => ['ssl' => ['cafile' => 'x']]], ['host' => 'h', 'scheme' => 'tls', 'ssl' => ['cafile' => 'x']]],
				[['hostname' => 'h', 'useSSL' => false, 'contextOptions' => ['ssl' => ['cafile' => 'x']]], ['host' => 'h']],
				[['hostname' => 'h', 'useSSL' => false, 'ssl' => ['cafile' => 'x']], ['host' => 'h', 'ssl' => ['cafile' => 'x']]],
				[['scheme' => 'unix', 'path' => '/s', 'useSSL' => true], 'options of TLS are given for a unix socket, on which there is no TLS'],
			],
			'ours' => [
				[[], []],
				[['name' => 'n', 'ttl' => 5, 'wait' => null, 'host' => 'h'], ['name' => 'n', 'ttl' => 5, 'host' => 'h']],
				[['db' => 1, 'database' => '1'], ['database' => '1']],
				[['db' => 1, 'dbindex' => 2], 'options "db" and "dbindex" contradict each other'],
				[['scheme' => 'unix', 'path' => '/s', 'host' => 'h', 'port' => 1], ['path' => '/s']],
				[['scheme' => 'tcp', 'path' => '/s', 'host' => 'h'], ['scheme' => 'tcp', 'host' => 'h']],
				[['sentinels' => ['a:1'], 'service' => 'm'], ['sentinels' => ['a:1'], 'service' => 'm']],
				[['locks' => ['host' => 'h']], 'unknown option "locks"'],
				[['default' => null], 'unknown option "default"'],
				[['pasword' => null], 'unknown option "pasword", did you mean "password"?'],
			],
		];
	}

	/** @return iterable<string, array{mixed, array<string, mixed>|string}> */
	public static function given(): iterable
	{
		foreach (self::rows() as $of => $rows) {
			foreach ($rows as $at => $row) {
				yield "$of $at" => $row;
			}
		}
	}

	/**
	 * @dataProvider given
	 * @param array<string, mixed>|string $expected
	 */
	#[DataProvider('given')]
	public function testReads(mixed $given, array|string $expected): void
	{
		$read = self::outcome(static fn (): array => Options::from($given));
		if (is_array($expected)) {
			$this->assertEquals($expected, $read);
			extension_loaded('redislock') && !isset($read['ssl']) && $this->assertInstanceOf(\RedisLock::class, new \RedisLock($read));
		} else {
			$this->assertSame($expected, $read);
			$this->assertStringNotContainsString('s3cret', $expected);
		}
	}

	/** The extension says what reads configurations that it does not take. */
	public function testIsNamedByTheExtension(): void
	{
		if (!extension_loaded('redislock')) {
			$this->markTestSkipped('needs the extension');
		}
		foreach ([['options' => ['prefix' => 'a']], ['default' => ['host' => 'h']], ['context' => ['ssl' => []]], ['replication' => 'sentinel'], ['tcp://a', 'tcp://b']] as $nested) {
			$this->assertStringContainsString('RedisLock\Options::from()', self::outcome(static fn (): string => (string) new \RedisLock($nested)));
		}
	}

	/** Each spelling that an unset variable can leave empty. */
	public function testNeverMeansTheDefaultServer(): void
	{
		$given = ['', ' ', 'redis://', 'redis://:6379/0', 'redis:?host[]', ['url' => ''], ['url' => '', 'port' => 1], ['host' => ''], ['path' => ''], ['unixSocket' => ''],
			['servers' => []], ['servers' => ''], ['servers' => [null]], ['servers' => ['a', '']], ['servers' => [['url' => '']]], ['sentinels' => [], 'service' => 'm'],
			['sentinels' => '', 'service' => 'm'], ['cluster' => []], ['cluster' => ''], ['cluster' => [[]]], ['', 'cluster' => true], [[], 'cluster' => true],
			['default' => ''], ['default' => ['url' => '']], ['default' => ['host' => '']], ['default' => ['cluster' => []]], ['options' => ['parameters' => ['host' => '']]],
			['options' => ['replication' => 'sentinel', 'service' => 'm']], ['options' => ['servers' => ['a']]]];
		foreach ($given as $one) {
			$said = self::outcome(static fn (): array => Options::from($one));
			if (is_array($said) && extension_loaded('redislock')) {
				$said = self::outcome(static fn (): string => 'accepted: ' . new \RedisLock($said));
			}
			$this->assertMatchesRegularExpression('/must (name|be a list|be given beside|list)|^each of the/', is_string($said) ? $said : 'must name', (string) json_encode($one));
		}
	}

	public function testMergesWhatStandsBesideIt(): void
	{
		$this->assertEquals(['host' => 'h', 'scheme' => 'tcp', 'database' => 2, 'prefix' => 'p:'], Options::from('redis://u:p@h/1?prefix=x', ['username' => null, 'password' => null, 'dbindex' => 2, 'prefix' => 'p:']));
		$this->assertEquals(['host' => 'h', 'scheme' => 'tcp', 'username' => 'v', 'password' => 'q'], Options::from('redis://u:p@h', ['auth' => ['v', 'q']]));
		$this->assertEquals(['service' => 'm', 'sentinels' => ['a:1', 'b:2']], Options::from(['a:1', 'b:2'], ['sentinel' => 'm']));
		$this->assertEquals(['cluster' => ['a:1', 'b:2']], Options::from(['a:1', 'b:2'], ['cluster' => true]));
		$this->assertEquals(['host' => 'h', 'ssl' => ['cafile' => 'x']], Options::from(['host' => 'h'], ['context' => ['stream' => ['cafile' => 'x']]]));
	}

	public function testReadsConnectionsOfLaravelByName(): void
	{
		$redis = ['options' => ['prefix' => 'all_', 'parameters' => ['locks' => ['timeout' => 3]]], 'locks' => ['host' => 'h'],
			'clusters' => ['options' => ['password' => 'p'], 'many' => [['host' => 'a', 'port' => 7000, 'database' => 0, 'name' => 'w', 'password' => ''], ['url' => 'tcp://b:7001']]]];
		$this->assertEquals(['host' => 'h', 'timeout' => 3, 'prefix' => 'all_'], Options::ofLaravel($redis, 'locks'));
		$this->assertEquals(['cluster' => [['host' => 'a', 'port' => 7000], ['host' => 'b', 'port' => '7001', 'scheme' => 'tcp']], 'password' => 'p', 'prefix' => 'all_'],
			Options::ofLaravel($redis, 'many'));
		foreach (['none' => 'Redis connection [none] not configured.', 'spread' => 'Redis connection [spread] spreads keys over servers by itself, which locks are not made ' .
			'for: only a Redis Cluster ("cluster" => "redis") is.'] as $name => $message) {
			$this->assertSame($message, self::outcome(static fn () => Options::ofLaravel(['options' => ['cluster' => 'predis'], 'clusters' => ['spread' => [['host' => 'a']]]], $name)));
		}
	}

	public function testDumpsShowNoPassword(): void
	{
		$locks = new ArrayLockFactory(['password' => 's3cret']);
		foreach ([$locks, $locks->lock('dumps'), $locks->all(['dumps', 'other'])] as $dumped) {
			$this->assertStringNotContainsString('s3cret', print_r($dumped, true));
		}
	}

	/** @return list<array<string, mixed>> */
	private static function flat(): array
	{
		$rows = [];
		foreach (['name', 'prefix', 'token', 'label', 'client_name', 'username', 'password', 'auth', 'host', 'path', 'scheme', 'on_lost', 'ttl', 'expiredTime', 'wait',
			'retry_ms', 'interval', 'max_hold', 'hold_at_least', 'linger', 'port', 'database', 'timeout', 'retries', 'retry_interval', 'renew', 'reentrant', 'fence', 'shared', 'permits',
			'min_replicas', 'replica_timeout', 'servers', 'sentinels', 'cluster', 'persistent', 'useSSL'] as $key) {
			foreach ([['x' => 1], 1.5, -1, '', 'soon', NAN, 1e20, true, new ArrayObject, "a\0b", str_repeat('x', 70000), "a\n"] as $value) {
				$rows[] = [$key => $value];
			}
		}

		return [...$rows, ['name' => 'a:rlk:fence'], ['token' => 'a#2'], ['token' => '__write__'], ['client_name' => 'a b'], ['ttl' => '1e1'], ['ttl' => '0x10'], ['ttl' => 0.0004], ['ttl' => INF],
			['wait' => 'INF'], ['ttl' => 0, 'fence' => true], ['ttl' => 0, 'hold_at_least' => 1], ['renew' => true, 'ttl' => 0], ['renew' => true, 'ttl' => 4000],
			['renew' => true, 'interval' => 30], ['renew' => 'yes', 'ttl' => 1.5, 'interval' => 2], ['permits' => 3, 'weight' => 4], ['weight' => 2], ['permits' => 2, 'shared' => true],
			['permits' => 3, 'fence' => true], ['shared' => true, 'ttl' => 0], ['permits' => 3, 'reentrant' => true, 'weight' => 2], ['ttl' => 5, 'expiredTime' => 6], ['pasword' => 1],
			['on_lost' => 'ignore'], ['servers' => []], ['cluster' => ''], ['sentinels' => ['a' => 1]], ['auth' => ['a', 'b', 'c']], ['auth' => [1.5]], ['renew' => 2]];
	}

	/** One table of options is in the extension, and one in PHP: they allow the same, and say the same of the rest. */
	public function testTableIsThatOfTheExtension(): void
	{
		if (!extension_loaded('redislock')) {
			$this->markTestSkipped('needs the extension');
		}
		foreach (self::flat() as $row) {
			$theirs = self::outcome(static fn (): bool => (bool) new \RedisLock($row + ['name' => 'n']), true);
			$ours = self::outcome(static fn (): bool => (bool) new LockOptions([$row + ['name' => 'n']]), true);
			// What only a server has is not checked here: where it is, and what belongs together.
			if (is_string($theirs) && $ours === true && preg_match('/"port" must|TLS|host name|without a password|must be 0 with|"service"|"cluster" must list|list of servers|each of|host:port|less than half/', $theirs) === 1) {
				continue;
			}
			$this->assertSame($theirs, $ours, (string) print_r(array_map(static fn (mixed $v): mixed => is_string($v) ? substr($v, 0, 20) : $v, $row), true));
		}
	}

	private static function outcome(callable $code, bool $withClass = false): mixed
	{
		try {
			return $code();
		} catch (\ValueError | \TypeError | \InvalidArgumentException $e) {
			return ($withClass ? $e::class . ': ' : '') . preg_replace('/^RedisLock::__construct\(\): Argument #1 \(\$params\) is not valid: /', '', $e->getMessage());
		}
	}
}
