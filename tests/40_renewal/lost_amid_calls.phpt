--TEST--
RedisLock\LockLostException: arrives between the arguments of a call, where PHP before 8.4 would corrupt its memory
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--CONFLICTS--
all
--FILE--
<?php
require __DIR__ . '/../inc/counted.inc';
require __DIR__ . '/../inc/timing.inc';
$s = new Server;
$redis = $s->client();
$class = new ReflectionClass('Counted');
$wait = 'sleep 0.01; date +%N';
$places = [
	'one that returns at once' => fn () => strcmp(md5((string) now()), md5((string) now())),
	'one that takes long' => fn () => strcmp(md5((string) now()), exec($wait)),
	'for a function in PHP' => fn () => take(md5((string) now()), exec($wait), exec($wait)),
	'by name' => fn () => str_pad(length: 9, string: exec($wait), pad_string: md5('x')),
	'unpacked' => fn () => take(md5((string) now()), ...explode(' ', exec($wait))),
	'for a constructor' => fn () => new ArrayObject(explode(' ', exec($wait))),
	'from a constructor' => fn () => take(md5((string) now()), new SplFixedArray(strlen(exec($wait)))),
	'from a method' => fn () => take(md5((string) now()), $class->newInstance(), exec($wait), $class?->newInstance()),
	'for a method' => fn () => $class->hasMethod(exec($wait)),
	'chosen' => fn () => take(exec($wait) ? strtolower(exec($wait)) : md5('x'), exec($wait) ?: md5('x'), exec($wait) ?? 1),
];
foreach ($places as $place => $code) {
	expect_within($place, 0.02 + 0.2, function () use ($s, $redis, $code) {
		try {
			$config = $s->options(['name' => 'lost_amid_calls', 'ttl' => 30, 'interval' => 0.02]);
			SequenceTask::execute($config, function () use ($redis, $code, &$start) {
				$code();
				$start = now();
				$redis('DEL', 'lost_amid_calls');
				while (now() < $start + 20) {
					$code();
				}
			});
		} catch (RedisLock\LockLostException $e) {
			$seconds = taken($start);
			unset($e);
		}
		/* Damage done is noticed by whoever allocates next. */
		for ($i = 0, $list = []; $i < 10000; $i++) {
			$list[] = md5((string) $i);
		}
		return $seconds ?? INF;
	});
}
var_dump(Counted::$there);
?>
--EXPECT--
one that returns at once: ok
one that takes long: ok
for a function in PHP: ok
by name: ok
unpacked: ok
for a constructor: ok
from a constructor: ok
from a method: ok
for a method: ok
chosen: ok
int(0)
