--TEST--
FrankenPHP worker: what a request has acquired ends with it, what the worker has acquired before stays
--SKIPIF--
<?php require __DIR__ . '/../inc/ext.inc'; skip_unless_compiler(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/ext.inc';

$server = new Server;
$redis = $server->client();
$extension = build_extension('frankenphp');
$setup = '
class Kept { static array $locks = []; }
$lock = fn (string $name, array $more = []) => Kept::$locks[$name] ??=
	new RedisLock(["unix_socket" => $argv[1], "name" => "frankenphp_worker:$name", "renew" => true, "ttl" => 30, ...$more]);
$redis = new Client("unix://$argv[1]");
/* What is echoed between two requests has no request to go to. */
function say(mixed $what): void {
	fwrite(STDOUT, (is_string($what) ? $what : json_encode($what)) . "\n");
}
function left(string $when): void {
	$keys = str_replace("frankenphp_worker:", "", $GLOBALS["redis"]("KEYS", "frankenphp_worker:*"));
	sort($keys);
	say("$when: " . (implode(" ", $keys) ?: "-"));
}
';
$run = function (string $title, string $code, int $requests = 2) use ($server, $redis, $extension, $setup) {
	echo "-- $title\n";
	$php = new Php($setup . $code, [$server->socket], ["frankenphp.requests=$requests"], ["extension=$extension"]);
	echo $php->rest(), 'ended ', json_encode($php->end()), ', keys: ', json_encode($redis('KEYS', '*')), "\n";
};

$run('locks in static variables', '
say(php_sapi_name());
$_ = $lock("boot")->acquire();
$again = $lock("again");
$_ = $again->acquire();
$again->release();
$n = 0;
while (frankenphp_handle_request(function () use ($lock, $redis, &$n, $argv) {
	$n++;
	left("request $n begins");
	foreach (["a", "b", "again"] as $name) {
		say([$lock($name)->isHeld(), $lock($name)->release(), $lock($name)->acquire()]);
	}
	Kept::$locks["lease"] ??= new RedisLock(["unix_socket" => $argv[1], "name" => "frankenphp_worker:lease", "ttl" => 30]);
	$_ = Kept::$locks["lease"]->acquire();
	Kept::$locks["red"] ??= new RedisLock\RedLock(["unix:$argv[1]"], options: ["renew" => true]);
	Kept::$locks["red"]->lock("frankenphp_worker:red", 30_000);
	$_ = $lock("released")->acquire();
	$lock("released")->release();
	$gone = new RedisLock(["unix_socket" => $argv[1], "name" => "frankenphp_worker:gone", "renew" => true]);
	$_ = $gone->acquire();
	say(["boot" => $lock("boot")->isHeld()]);
	left("request $n ends");
})) {
	left("after it");
	Kept::$locks["lease"]->release();
	if ($n === 1) {
		$_ = $lock("between")->acquire();
	}
}
say(["boot" => $lock("boot")->isAcquired()]);
');

$run('end of the request said twice', '
while (frankenphp_handle_request(function () use ($lock) {
	RedisLock\Worker::beginRequest();
	$_ = $lock("a")->acquire();
	say(RedisLock\Worker::endRequest());
	$_ = $lock("late")->acquire();
	left("request");
})) {
	left("after it");
}
', 1);

$run('code that still runs', '
$fiber = null;
while (frankenphp_handle_request(function () use ($lock, &$fiber) {
	$resumed = $fiber?->resume();
	$fiber ??= new Fiber(fn () => $lock("task")->synchronized(fn ($lock) => [Fiber::suspend(), $lock->isHeld()]));
	if (!$fiber->isStarted()) {
		$fiber->start();
		(new Fiber(fn () => $lock("fiber")->acquire()))->start();
	} else {
		say($fiber->getReturn());
	}
})) {
	left("after it");
}
');

$run('requests served under a lock', '
SequenceTask::execute(["unix_socket" => $argv[1], "name" => "frankenphp_worker:leader"], function () use ($lock) {
	while (frankenphp_handle_request(fn () => $lock("a")->acquire())) {
		left("after it");
	}
});
left("after all");
');

$run('exit() in a request', '
$_ = $lock("boot")->acquire();
frankenphp_handle_request(function () use ($lock) {
	$_ = $lock("a")->acquire();
	exit(3);
});
');

$run('exception in a request', '
$_ = $lock("boot")->acquire();
frankenphp_handle_request(function () use ($lock) {
	$_ = $lock("a")->acquire();
	throw new DomainException("text");
});
');

$run('an observer', '
RedisLock\observe(function (string $event, array $details) {
	say("$event $details[name]");
	throw new LogicException("of an observer");
});
set_error_handler(fn (int $level, string $text) => say($text));
while (frankenphp_handle_request(fn () => $lock("a")->acquire())) {
	left("after it");
}
');

$run('classic mode', '
$_ = $lock("a")->acquire();
left("script");
');
?>
--EXPECTF--
-- locks in static variables
frankenphp
request 1 begins: boot
[false,false,true]
[false,false,true]
[false,false,true]
{"boot":true}
request 1 ends: a again b boot gone lease red
redislock: lock "frankenphp_worker:red" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:again" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:b" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
after it: boot lease
redislock: lock "frankenphp_worker:between" was still held at the end of the request, and is released
request 2 begins: boot
[false,false,true]
[false,false,true]
[false,false,true]
{"boot":true}
request 2 ends: a again b boot gone lease red
redislock: lock "frankenphp_worker:red" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:again" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:b" was still held at the end of the request, and is released
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
after it: boot lease
{"boot":true}
ended {"exit":0}, keys: []
-- end of the request said twice
["frankenphp_worker:a"]
request: late
redislock: lock "frankenphp_worker:late" was still held at the end of the request, and is released
after it: -
ended {"exit":0}, keys: []
-- code that still runs
redislock: lock "frankenphp_worker:fiber" was still held at the end of the request, and is released
after it: task
[null,true]
after it: -
ended {"exit":0}, keys: []
-- requests served under a lock
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
after it: leader
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
after it: leader
after all: -
ended {"exit":0}, keys: []
-- exit() in a request
ended {"exit":3}, keys: []
-- exception in a request

Fatal error: Uncaught DomainException: text in %s
Stack trace:%a
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
ended {"exit":255}, keys: []
-- an observer
acquired frankenphp_worker:a
RedisLock::acquire(): The observer of locks has thrown LogicException: of an observer
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
released frankenphp_worker:a
%s(): The observer of locks has thrown LogicException: of an observer
after it: -
acquired frankenphp_worker:a
RedisLock::acquire(): The observer of locks has thrown LogicException: of an observer
redislock: lock "frankenphp_worker:a" was still held at the end of the request, and is released
released frankenphp_worker:a
%s(): The observer of locks has thrown LogicException: of an observer
after it: -
ended {"exit":0}, keys: []
-- classic mode
script: a
ended {"exit":0}, keys: []
