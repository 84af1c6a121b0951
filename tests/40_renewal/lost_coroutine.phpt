--TEST--
Swoole: two coroutines are two owners, and LockLostException is thrown in the one that holds the lock
--SKIPIF--
<?php require __DIR__ . '/../inc/ext.inc'; skip_unless_coroutines(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/ext.inc';

$server = new Server;
$run = fn (string $flags, string $code) => print((new Php('
use Swoole\Coroutine as Co;
$redis = new Client("unix://$argv[1]");
$options = fn (string $name, array $more = []) => ["unix_socket" => $argv[1], "name" => "lost_coroutine:$name", "ttl" => 30,
	"interval" => 0.1, ...$more];
' . $code, [$server->socket], [], ['extension=' . build_extension('swoole', $flags)]))->rest());

$run('', '
/* Entered again by the coroutine that holds it, and by no other. */
$reentrant = fn () => new RedisLock($options("reentrant", ["reentrant" => true]));
$a = Co::create(function () use ($reentrant) {
	[$first, $second] = [$reentrant(), $reentrant()];
	echo "a: ", json_encode([$first->acquire(), $second->acquire(), $second->release()]), "\n";
	Co::yield();
	echo "a: ", json_encode([$first->release()]), "\n";
});
Co::create(fn () => print("b: " . json_encode($reentrant()->acquire()) . "\n"));
echo "outside: ", json_encode($reentrant()->acquire()), "\n";
Co::resume($a);
echo "outside: ", json_encode($reentrant()->acquire()), "\n";

/* The lock of execute() is that of the coroutine which runs it. */
$name = fn () => json_encode(SequenceTask::current()?->getName());
$task = fn (string $of) => fn () => SequenceTask::execute($options($of), function () use ($of, $name) {
	Co::yield();
	echo "$of: ", $name(), "\n";
});
[$a, $b] = [Co::create($task("a")), Co::create($task("b"))];
echo "outside: ", $name(), "\n";
Co::resume($a);
Co::resume($b);

/* Lost by one of three while the others are at work. */
$busy = function (float $seconds) {
	for ($end = now() + $seconds; now() < $end;);
};
$holder = fn (string $of) => function () use ($options, $busy, $of) {
	try {
		SequenceTask::execute($options($of), function (RedisLock $lock) use ($busy, $of) {
			Co::yield();
			/* The one that has lost it is told when it goes on, however soon it yields again. */
			for ($i = 0; $i < 100; $i++);
			$busy($of === "loser" ? 0 : 0.3);
			echo "$of: ", $lock->isHeld() ? "undisturbed" : "not held", "\n";
		});
	} catch (RedisLock\LockLostException $e) {
		echo "$of: ", $e->hasResult() ? "told too late" : $e->getMessage(), "\n";
	}
};
[$keeper, $loser] = [Co::create($holder("keeper")), Co::create($holder("loser"))];
$redis("DEL", "lost_coroutine:loser");
$busy(0.3);
echo "outside: undisturbed\n";
Co::resume($keeper);
Co::resume($loser);

/* A lock that outside code holds is not the business of a coroutine. */
$lock = new RedisLock($options("outside", ["renew" => true]));
$_ = $lock->acquire();
try {
	Co::create(function () use ($redis, $lock, $busy) {
		$redis("DEL", "lost_coroutine:outside");
		wait_until(fn () => !$lock->isHeld());
		$busy(0.2);
		echo "coroutine: undisturbed\n";
	});
	$busy(20);
} catch (RedisLock\LockLostException $e) {
	echo "outside: ", $e->getMessage(), "\n";
}

/* Its coroutine has ended, before the loss: nobody is disturbed, and isHeld() tells. */
$observed = new ArrayObject;
RedisLock\observe(function (string $event, array $details) use ($observed) {
	$event === "lost" && $observed[] = $details["name"];
});
$ended = new RedisLock($options("ended", ["renew" => true]));
Co::create(fn () => $ended->acquire() || print("not acquired\n"));
$redis("DEL", "lost_coroutine:ended");
wait_until(fn () => count($observed) === 1);
$busy(0.1);
Co::create(fn () => $busy(0.1));
echo "ended: ", json_encode([(array) $observed, $ended->isHeld(), $ended->release()]), "\n";

/* In a coroutine the end of a request is that of its own. */
class Kept { static array $locks = []; }
$request = function (string $of) use ($options) {
	RedisLock\Worker::beginRequest();
	$_ = (Kept::$locks[$of] = new RedisLock($options($of, ["renew" => true])))->acquire();
	Co::yield();
	echo "$of: ", json_encode(RedisLock\Worker::endRequest()), "\n";
};
[$a, $b] = [Co::create(fn () => $request("request a")), Co::create(fn () => $request("request b"))];
Co::resume($a);
echo "b: ", json_encode(Kept::$locks["request b"]->isAcquired()), "\n";
Co::resume($b);
');

$run('-DSWOOLE_BEFORE_6_2', '
$reentrant = fn () => new RedisLock($options("reentrant", ["reentrant" => true]));
$lock = $reentrant();
$_ = $lock->acquire();
Co::create(fn () => print("before 6.2: " . json_encode($reentrant()->acquire()) . "\n"));
$lock->release();
$id = Co::create(fn () => SequenceTask::execute($options("watched"), Co::yield(...)));
Co::resume($id);
echo "before 6.2: ", Co::watched(), "\n";
');
?>
--EXPECT--
a: [true,true,true]
b: false
outside: false
a: [true]
outside: true
outside: null
a: "lost_coroutine:a"
b: "lost_coroutine:b"
outside: undisturbed
keeper: undisturbed
loser: lock "lost_coroutine:loser" was lost: its key was deleted or has another owner
coroutine: undisturbed
outside: lock "lost_coroutine:outside" was lost: its key was deleted or has another owner
ended: [["lost_coroutine:ended"],false,false]
request a: ["lost_coroutine:request a"]
b: true
request b: ["lost_coroutine:request b"]
before 6.2: false
before 6.2: 1
