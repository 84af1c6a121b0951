--TEST--
The polyfill: what it cannot do is an exception that says what needs the extension, and how to get it; two servers are one too many
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
$server = new Server();
$php = new Php(<<<'CODE'
	$options = ['unix_socket' => $argv[1], 'name' => 'polyfill_refused'];
	$lock = new RedisLock($options);
	foreach ([
		fn () => new RedisLock($options + ['renew' => true]),
		fn () => $lock->lock('another', RedisLock::NONBLOCKED, ['renew' => 'on']),
		fn () => RedisLock::restore($options, 'polyfill_refused', 'token', ['renew' => 1]),
		fn () => new RedisLock($options + ['reentrant' => true]),
		fn () => new RedisLock($options + ['fence' => true, 'min_replicas' => 1]),
		fn () => new RedisLock(['name' => 'polyfill_refused', 'servers' => ['a', 'b', 'c']]),
		fn () => new RedisLock(['name' => 'polyfill_refused', 'sentinels' => ['a'], 'service' => 'main']),
		fn () => new RedisLock(['name' => 'polyfill_refused', 'cluster' => ['a']]),
		fn () => $lock->synchronized(fn () => 1),
		fn () => SequenceTask::execute($options, fn () => 1),
		fn () => new RedisLock\RedLock(['a', 'b', 'c']),
		fn () => $lock->exec('true'),
		fn () => RedisLock::setPoller(fn () => 1),
		fn () => (new RedisLock\LockFactory($options))->run('polyfill_refused', fn () => 1),
		/* Never the default server instead. */
		fn () => new RedisLock($options + ['scheme' => 'tcp']),
		fn () => new RedisLock($options + ['useSSL' => true]),
		fn () => new RedisLock(['host' => 'a', 'path' => $argv[1]]),
	] as $refused) {
		try {
			$refused();
			echo "not refused\n";
		} catch (LogicException | ValueError $e) {
			echo str_replace(', which is not loaded: "pie install redislock/redislock" installs it. Without it there are leases on one server only', ' ...', $e->getMessage()), "\n";
		}
	}
	echo json_encode([$lock->isHeld(), SequenceTask::current(), RedisLock\Worker::endRequest()]), "\n";
	CODE, [$server->socket], polyfill: true);
echo $php->rest();
var_dump($server->client()('DBSIZE'));
?>
--EXPECT--
option "renew" needs the PHP extension redislock ...
option "renew" needs the PHP extension redislock ...
option "renew" needs the PHP extension redislock ...
option "reentrant" needs the PHP extension redislock ...
option "min_replicas" needs the PHP extension redislock ...
option "servers" needs the PHP extension redislock ...
option "sentinels" needs the PHP extension redislock ...
option "cluster" needs the PHP extension redislock ...
synchronized() needs the PHP extension redislock ...
SequenceTask needs the PHP extension redislock ...
RedLock needs the PHP extension redislock ...
exec() needs the PHP extension redislock ...
setPoller() needs the PHP extension redislock ...
synchronized() needs the PHP extension redislock ...
RedisLock::__construct(): Argument #1 ($params) is not valid: options "scheme" and "path" name two different servers; leave one out
RedisLock::__construct(): Argument #1 ($params) is not valid: options of TLS are given for a unix socket, on which there is no TLS
RedisLock::__construct(): Argument #1 ($params) is not valid: options "host" and "path" name two different servers; leave one out
[false,null,[]]
int(0)
