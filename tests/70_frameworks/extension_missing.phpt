--TEST--
Without the extension: pages of an application work until they lock. Leases go over Predis if that is there; else every adapter says what is missing and how to get it
--EXTENSIONS--
pcntl
mbstring
ctype
tokenizer
--SKIPIF--
<?php require __DIR__ . '/../inc/symfony.inc'; skip_unless_symfony(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/symfony.inc';
symfony_folder();
/** What the code prints in this PHP without the extension. */
function without_extension(string $code): string
{
	$command = preg_replace("~'-d' '\S*/redislock\.so'~", '', implode(' ', array_map(escapeshellarg(...), Php::command())));
	$file = getenv('APP_FOLDER') . '/code.php';
	file_put_contents($file, '<?php $inc = ' . var_export(dirname(__DIR__) . '/inc', true) . ";\n" . <<<'CODE'
		function told(callable $code): string {
			try {
				return json_encode($code());
			} catch (Throwable $e) {
				while ($e->getPrevious()) {
					$e = $e->getPrevious();
				}
				$get = 'which is not loaded: "pie install redislock/redislock" installs it. ';
				return $e::class . ': ' . str_replace(["This lock needs the PHP extension redislock, {$get}For leases predis/predis 3 is enough, for tests RedisLock\Testing\ArrayLockFactory.",
					"the PHP extension redislock, {$get}Without it there are leases on one server only"], ['how to get it', 'the extension'], $e->getMessage());
			}
		}
		function tell(string $what, callable $code): void {
			echo "$what: ", told($code), "\n";
		}
		CODE . $code);
	return (string) shell_exec("$command " . escapeshellarg($file) . ' 2>&1');
}

echo "-- Symfony\n", without_extension(code_of(__DIR__ . '/extension_missing_app.inc'));
echo "-- Laravel\n", without_extension(<<<'CODE'
	require "$inc/vendor.inc";
	require vendor_autoload();
	$redis = new Illuminate\Redis\RedisManager(new Illuminate\Foundation\Application, 'predis', []);
	$store = new RedisLock\Laravel\RedisLockStore($redis, ['default' => ['host' => '127.0.0.1', 'port' => 1]]);
	tell('lock', fn () => $store->lock('job', 10)->get());
	tell('lock of an owner', fn () => $store->lock('job', 10, 'me')->block(1));
	tell('restored', fn () => $store->restoreLock('job', 'me')->release());
	tell('process lock', fn () => $store->processLock('job')->get());
	CODE);
foreach (['yii2' => <<<'CODE'
	$mutex = fn (bool $bound) => new RedisLock\Yii2\Mutex(['redis' => 'redis://127.0.0.1:1', 'keyPrefix' => '', 'processBound' => $bound]);
	tell('lease', fn () => $mutex(false)->acquire('job'));
	tell('process-bound', fn () => $mutex(true)->acquire('job'));
	CODE, 'yii3' => <<<'CODE'
	tell('lease', fn () => (new RedisLock\Yii3\MutexFactory)->create('job')->acquire());
	tell('process-bound', fn () => (new RedisLock\Yii3\MutexFactory(processBound: true))->create('job')->acquire());
	CODE, 'php-lock' => <<<'CODE'
	tell('mutex', fn () => (new RedisLock\PhpLock\RedisLockMutex('job'))->synchronized(fn () => 1));
	CODE] as $framework => $code) {
	echo "-- $framework\n", without_extension("require \"\$inc/vendor.inc\"; load_framework('$framework'); $code");
}
echo "-- LockFactory\n", without_extension(<<<'CODE'
	require "$inc/adapters.inc";
	load_adapters();
	$locks = new RedisLock\LockFactory('redis://127.0.0.1:1');
	tell('lock', fn () => $locks->lock('job'));
	tell('run', fn () => $locks->run('job', fn () => 1));
	tell('restore', fn () => $locks->restore('job', 'token'));
	tell('a list', fn () => new RedisLock\LockFactory(['tcp://a', 'tcp://b']));
	CODE);
?>
--EXPECT--
-- Symfony
200 home 3
200 RedisLock\ConnectionException: lock "job": cannot connect: Connection refused (tcp://127.0.0.1:1)
200 LogicException: option "renew" needs the extension
200 LogicException: option "renew" needs the extension
200 home 3
-- Laravel
lock: RedisLock\ConnectionException: lock "job": cannot connect: Connection refused (tcp://127.0.0.1:1)
lock of an owner: RedisLock\ConnectionException: lock "job": cannot connect: Connection refused (tcp://127.0.0.1:1)
restored: RedisLock\ConnectionException: lock "job": cannot connect: Connection refused (tcp://127.0.0.1:1)
process lock: LogicException: option "renew" needs the extension
-- yii2
lease: LogicException: how to get it
process-bound: LogicException: how to get it
-- yii3
lease: LogicException: how to get it
process-bound: LogicException: how to get it
-- php-lock
mutex: LogicException: how to get it
-- LockFactory
lock: LogicException: how to get it
run: LogicException: how to get it
restore: LogicException: how to get it
a list: ValueError: a list of servers needs "service" (sentinels) or "cluster" => true beside it; options of one server have their names as keys
