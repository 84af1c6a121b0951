--TEST--
LockFactory, the locks of Laravel and Symfony, and the command, without the extension: beside a host that has it
--EXTENSIONS--
mbstring
ctype
tokenizer
--SKIPIF--
<?php
require __DIR__ . '/../inc/vendor.inc';
skip_unless_vendor();
?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/side.inc';
$server = new Server();
$redis = $server->client();
$begin = 'require ' . var_export(__DIR__ . '/../inc/vendor.inc', true) . '; require vendor_autoload();' . <<<'CODE'
	$options = ['path' => $argv[1], 'prefix' => 'polyfill_frameworks:', 'persistent' => true];
	$factory = new RedisLock\LockFactory($options);
	$laravel = new RedisLock\Laravel\RedisLockStore(new Illuminate\Redis\RedisManager(new Illuminate\Foundation\Application, 'predis', []),
		['default' => ['path' => $argv[1], 'scheme' => 'unix', 'prefix' => 'polyfill_frameworks:']]);
	$symfony = new Symfony\Component\Lock\LockFactory(new RedisLock\Symfony\RedisLockStore($options));
	$kept = [];
	$keep = function (string $of, string $name) use (&$kept, $factory, $laravel, $symfony): object {
		return $kept["$of $name"] ??= match ($of) {
			'factory' => $factory->managed($name, ['ttl' => 20, 'label' => 'shop']),
			'laravel' => $laravel->lock($name, 20),
			'symfony' => $symfony->createLock($name, 20, false),
		};
	};
	CODE;
$sides = [new Side('extension', $server, $begin), new Side('polyfill', $server, $begin)];
foreach ([$sides, array_reverse($sides)] as [$a, $b]) {
	$redis('FLUSHALL');
	echo "-- $a->name, then $b->name\n";
	$step = fn (string $name, mixed ...$said) => print "$name: " . json_encode($said) . "\n";

	$step('LockFactory', $a->do('$keep("factory", "f")->acquire()'), $b->do('[$keep("factory", "f")->acquire(), $keep("factory", "f")->holder()["label"]]'),
		$b->do('$factory->restore("f", ' . json_encode($a->do('$keep("factory", "f")->detach()')) . ')->release()'), $b->do('$keep("factory", "f")->acquire()'),
		$b->do('$keep("factory", "f")->release()'), $b->do('($all = $factory->all(["f", "g"], ["wait" => 1]))->acquire()'),
		$a->do('$keep("factory", "g")->acquire()'), $b->do('$all->release()'));

	$step('Laravel', $a->do('$keep("laravel", "l")->get()'), $b->do('$keep("laravel", "l")->get()'), $a->do('$keep("laravel", "l")->refresh(50)'), $redis('TTL', 'polyfill_frameworks:l') > 20,
		$b->do('$laravel->restoreLock("l", ' . json_encode($a->do('$keep("laravel", "l")->owner()')) . ')->release()'), $a->do('$keep("laravel", "l")->release()'),
		$a->do('$laravel->lock("own", 20, "me")->get()'), $b->do('$laravel->lock("own", 20, "me")->release()'));
	$a->do('$keep("laravel", "l")->get()');
	$b->begin('$keep("laravel", "l")->block(20)');
	await_queue($redis, 1);
	$freed = now();
	$step('woken', $a->do('$keep("laravel", "l")->release()'), $b->end(), taken($freed) < WOKEN, $b->do('$keep("laravel", "l")->release()'));

	$step('Symfony', $a->do('$keep("symfony", "s")->acquire()'), $b->do('$keep("symfony", "s")->acquire()'), $b->do('$keep("symfony", "r")->acquireRead()'), $a->do('$keep("symfony", "r")->acquireRead()'),
		$a->do('$keep("symfony", "s")->isAcquired()'), $a->do('$keep("symfony", "s")->release()'), $b->do('$keep("symfony", "s")->acquire()'));
}

echo "-- the server of php.ini\n";
$php = new Php('require ' . var_export(__DIR__ . '/../inc/vendor.inc', true) . '; require vendor_autoload();' . <<<'CODE'
	$lock = new RedisLock(['name' => 'ini']);
	echo json_encode($lock->acquire()), "\n";
	foreach ([['command' => 'show', 'name' => 'ini'], ['command' => 'doctor']] as $words) {
		$output = new Symfony\Component\Console\Output\BufferedOutput;
		$status = (new RedisLock\Console\Application)->run(new Symfony\Component\Console\Input\ArrayInput($words), $output);
		echo "$status: ", implode(' ', array_map(trim(...), array_slice(explode("\n", $output->fetch()), 0, 2))), "\n";
	}
	CODE, ini: ["redislock.server=unix:$server->socket", 'redislock.prefix=polyfill_frameworks:'], polyfill: true);
echo $php->rest(), $redis('EXISTS', 'polyfill_frameworks:ini'), "\n";
?>
--EXPECT--
-- extension, then polyfill
LockFactory: [true,[false,"shop"],true,true,true,true,false,true]
Laravel: [true,false,true,true,true,false,true,true]
woken: [true,true,true,true]
Symfony: [true,false,true,true,true,null,true]
-- polyfill, then extension
LockFactory: [true,[false,"shop"],true,true,true,true,false,true]
Laravel: [true,false,true,true,true,false,true,true]
woken: [true,true,true,true]
Symfony: [true,false,true,true,true,null,true]
-- the server of php.ini
true
0: name     ini kind     plain
1: PROBLEM the extension redislock is not loaded There are leases on one server only. "pie install redislock/redislock" installs it.
1
