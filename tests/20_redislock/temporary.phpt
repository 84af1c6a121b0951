--TEST--
A process-bound lock of an object that nothing keeps is refused, before anything is locked; all others are not
--SKIPIF--
<?php
require __DIR__ . '/../inc/redislock.inc';
skip_unless_server();
is_readable(ini_get('extension_dir') . '/opcache.so') || die('skip opcache is not installed');
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$code = <<<'CODE'
	$options = ['unix_socket' => $argv[1], 'name' => 'temporary'];
	$bound = ['renew' => true] + $options;

	class Holder
	{
		public static ?RedisLock $static = null;
		public array $list = [];
		public function __construct(public ?RedisLock $lock = null) {}
		public function get(): RedisLock { return $this->lock; }
		public function make(array $bound): RedisLock { return $this->lock = new RedisLock($bound); }
	}
	class Own extends RedisLock
	{
		public function run(): bool { return $this->acquire() && $this->release(); }
		public function acquire(?float $wait = null): bool { return parent::acquire($wait); }
	}
	function fresh(array $bound): RedisLock { return new RedisLock($bound); }

	$refused = [
		'new' => fn () => (new RedisLock($bound))->acquire(),
		'of a function' => fn () => fresh($bound)->acquire(1),
		'lock()' => fn () => (new RedisLock($options))->lock('temporary', RedisLock::NONBLOCKED, ['renew' => true]),
		'nullsafe' => fn () => fresh($bound)?->acquire(),
		'restored, keepAlive()' => fn () => RedisLock::restore($bound, 'temporary', RedisLock::newToken())->keepAlive(),
		'restored, isAcquired()' => fn () => RedisLock::restore($bound, 'temporary', RedisLock::newToken())->isAcquired(),
	];
	$holder = new Holder;
	$allowed = [
		'variable' => function () use ($bound) { $lock = new RedisLock($bound); return $lock->acquire() && $lock->release(); },
		'assigned in passing' => fn () => ($lock = new RedisLock($bound))->acquire() && $lock->release(),
		'kept by its maker' => fn () => $holder->make($bound)->acquire() && $holder->lock->release(),
		'of a getter' => fn () => $holder->get()->acquire() && $holder->get()->release(),
		'property' => fn () => $holder->lock->acquire() && $holder->lock->release(),
		'property, nullsafe' => fn () => $holder?->lock?->acquire() && $holder->lock->release(),
		'array' => fn () => ($holder->list['x'] = $holder->lock) && $holder->list['x']->acquire() && $holder->lock->release(),
		'reference' => function () use ($holder) { $lock = &$holder->lock; return $lock->acquire() && $lock->release(); },
		'static' => fn () => (Holder::$static = $holder->lock) && Holder::$static->acquire() && Holder::$static->release(),
		'first-class callable' => fn () => ($holder->lock->acquire(...))() && $holder->lock->release(),
		'callable' => fn () => call_user_func([$holder->lock, 'acquire']) && array_map([$holder->lock, 'release'], [])=== [] && $holder->lock->release(),
		'method by name' => fn () => $holder->lock->{'acquire'}() && $holder->lock->release(),
		'generator' => function () use ($holder) {
			foreach ((function () use ($holder) { yield $holder->lock->acquire(); })() as $said) {
				return $said && $holder->lock->release();
			}
		},
		'its own method' => fn () => (new Own($bound))->run(),
		'synchronized()' => fn () => (new RedisLock($options))->synchronized(fn () => true),
		'a lease' => fn () => (new RedisLock($options))->acquire() && (new RedisLock($options))->forceRelease(),
		'lock() of a lease' => fn () => (new RedisLock($options))->lock('temporary') && (new RedisLock($options))->forceRelease(),
	];
	for ($i = 0; $i < 20; $i++) { /* hot enough for the JIT */
		foreach ($refused as $name => $call) {
			try {
				$call();
				echo "$name: not refused\n";
			} catch (LogicException $e) {
				$said[$e->getMessage()] = true;
			}
		}
		foreach ($allowed as $name => $call) {
			try {
				$call() === true || print("$name: not true\n");
			} catch (LogicException $e) {
				echo "$name: refused\n";
			}
		}
	}
	echo implode("\n", array_keys($said)), "\n";
	CODE;
$opcache = ['opcache.enable_cli=1', 'opcache.jit_buffer_size=16M', 'opcache.jit_hot_func=2', 'opcache.jit_hot_loop=2'];
foreach ([[], [...$opcache, 'opcache.jit=off'], [...$opcache, 'opcache.jit=tracing'], [...$opcache, 'opcache.jit=function']] as $ini) {
	$zend = $ini === [] ? [] : ['zend_extension=' . ini_get('extension_dir') . '/opcache.so'];
	echo (new Php($code, [$s->socket], $ini, $zend))->rest();
}
var_dump($s->client()('DBSIZE'));
?>
--EXPECT--
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
lock "temporary" would be free again at once: it ends with its object; keep the object in a variable
int(0)
