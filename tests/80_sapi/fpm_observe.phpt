--TEST--
PHP-FPM: the observer of a request hears how its locks end, even with the request, and is gone in the next one
--SKIPIF--
<?php require __DIR__ . '/checks.inc'; skip_unless_fpm();
--FILE--
<?php
require __DIR__ . '/checks.inc';

const OBSERVED = [
	'a global' => '$lock = locked(KEY); echo "end";',
	'a static property' => 'class Keep { static $lock; } Keep::$lock = locked(KEY); echo "end";',
	'a circle' => '$o = new stdClass; $o->self = $o; $o->lock = locked(KEY); unset($o); echo "end";',
	'reentrant' => '$lock = new RedisLock(redis(["name" => KEY, "renew" => true, "reentrant" => true])); $_ = $lock->acquire(); $_ = $lock->acquire(); echo "end";',
	'a suspended fiber' => '$f = new Fiber(fn () => task(KEY, fn () => Fiber::suspend())); $f->start(); echo "end";',
	'a shutdown function' => 'register_shutdown_function(function () { $GLOBALS["late"] = locked(KEY); echo "end"; });',
	'exit()' => 'task(KEY, fn () => exit("end"));',
	'an exception' => 'task(KEY, fn () => throw new DomainException("end"));',
	'a fatal error' => '$lock = locked(KEY); eval("class Broken { function f(); }");',
	'memory_limit' => 'task(KEY, function () { for ($x = [];;) { $x[] = str_repeat("x", 100000); } });',
	'an observer that throws' => 'RedisLock\observe(fn ($event) => throw new LogicException("at $event")); Keeper::$lock = locked(KEY); echo "end";',
	'one that exits' => 'RedisLock\observe(fn ($event) => $event === "released" ? exit("exits") : null); Keeper::$lock = locked(KEY); echo "end";',
	'one that locks' => 'RedisLock\observe(fn ($event) => print("$event " . json_encode((new RedisLock(redis(["name" => KEY . 2])))->acquire()) . " "));
		Keeper::$lock = locked(KEY); echo "end ";',
	'one that dies' => 'RedisLock\observe(function ($event) { if ($event === "released") eval("class Broken { function f(); }"); }); Keeper::$lock = locked(KEY); echo "end";',
	'without one' => 'RedisLock\observe(null); Keeper::$lock = locked(KEY); echo "end";',
	/* PHP closes the stream when the extension has ended the request. */
	'one that is set too late' => 'class Late { public $context; function stream_open() { return true; } function stream_close() { RedisLock\observe(fn ($event) => print("[stale $event]")); } }
		stream_wrapper_register("late", "Late"); Keeper::$lock = fopen("late://", "r"); echo "end";',
	'one that sets a poller' => 'RedisLock\observe(fn ($event) => $event === "released" && RedisLock::setPoller(fn () => null)); Keeper::$lock = locked(KEY); echo "end";',
	'the next' => '$lock = locked(KEY); echo json_encode(RedisLock::setPoller(null)), " end";',
];

$s = new Server(true);
$redis = $s->client();
$fpm = new Fpm($s);
$pid = 0;
foreach (OBSERVED as $what => $code) {
	$observe = $what === 'the next' ? '' : 'RedisLock\observe(fn (string $event, array $details) => print("[$event $details[name]]"));';
	$request = $fpm->request("class Keeper { static \$lock; } $observe " . str_replace('KEY', '"fpm_observe"', $code));
	$said = preg_replace('/\s+/', ' ', preg_replace(['/ in \/\S+|Stack trace:.*?\{main\}(?:\s+thrown)?|on line \d+/s', '/PHP message: /'], '', strip_tags($request->rest())));
	echo "$what: ", trim($said), $redis('EXISTS', 'fpm_observe') ? ', still held' : '', $pid !== 0 && $pid !== $request->pid ? ', by another process' : '', "\n";
	$redis('DEL', 'fpm_observe2');
	$pid = $request->pid;
}
?>
--EXPECTF--
a global: [acquired fpm_observe]end[released fpm_observe]
a static property: [acquired fpm_observe]end[released fpm_observe]
a circle: [acquired fpm_observe]end[released fpm_observe]
reentrant: [acquired fpm_observe]end[released fpm_observe]
a suspended fiber: end[acquired fpm_observe][released fpm_observe]
a shutdown function: [acquired fpm_observe]end[released fpm_observe]
exit(): end[acquired fpm_observe][released fpm_observe]
an exception: [acquired fpm_observe][released fpm_observe] Fatal error: Uncaught DomainException: end
a fatal error: [acquired fpm_observe] Fatal error: Non-abstract method Broken::f() must contain body : eval()'d code
memory_limit: Fatal error: Allowed memory size of 134217728 bytes exhausted%S (tried to allocate %d bytes)
an observer that throws: Warning: RedisLock::acquire(): The observer of locks has thrown LogicException: at acquired end Warning: RedisLock\observe(): The observer of locks has thrown LogicException: at released in Unknown
one that exits: endexits
one that locks: acquired true end released false
one that dies: end Fatal error: Non-abstract method Broken::f() must contain body : eval()'d code
without one: end
one that is set too late: end
one that sets a poller: end
the next: null end
