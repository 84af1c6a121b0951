--TEST--
RedisLock::setPoller(): called in fibers, with $main elsewhere too; never where a fiber cannot or must not be left
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/loop.inc';

register_shutdown_function(function () use (&$blocks) {
	$blocks('a shutdown function');
}); /* before that of the server */
$server = new Server;
$redis = $server->client();
$loop = new Loop;
$lock = new RedisLock($server->options(['name' => 'where', 'retry_ms' => 20]));
/* Held by somebody who wakes nobody: it is waited for until the poller is called, or its time is over. */
$polls = 0;
$poll = function (array $read, array $write, ?float $seconds) use ($loop, $redis, &$polls) {
	$polls++;
	$redis('DEL', 'where');
	$loop->poll($read, $write, $seconds);
};
$waits = function (string $where, int $ms) use ($lock, $redis, &$polls) {
	$redis('SET', 'where', 'another', 'PX', $ms);
	$polls = 0;
	$_ = $lock->acquire(60);
	step($where, $polls > 0 ? 'suspended' : 'blocked');
	$lock->release();
};
$suspends = fn (string $where) => $waits($where, 20000);
$blocks = fn (string $where) => $waits($where, 100);
$first = fn (array $read, array $write, ?float $seconds) => null;
step('none before', RedisLock::setPoller($first));
step('the one before', RedisLock::setPoller($poll) === $first);

$blocks('main');
$loop->start(fn () => $suspends('a fiber'));
$loop->run();
RedisLock::setPoller($poll, true);
$suspends('main, with $main');

final class Destroyed
{
	public function __construct(private Closure $code) {}
	public function __destruct()
	{
		($this->code)('a destructor');
	}
}
$loop->start(function () use ($blocks) {
	new Destroyed($blocks);
});
$loop->run();
$loop->start(function () use ($suspends) {
	try {
		throw new Exception;
	} catch (Exception) {
		$suspends('behind an exception');
	}
});
$loop->run();
/* The server has stopped when something is thrown, and goes on while the lock is released. */
$throws = function () use ($server, &$polls) {
	$server->freeze();
	exec("(sleep 0.1; kill -CONT $server->pid) >/dev/null 2>&1 &");
	$polls = 0;
	throw new DomainException;
};
$bound = fn () => new RedisLock($server->options(['name' => 'where:bound', 'renew' => true, 'read_timeout' => 60]));
$ends = [
	'an exception leaves a callable' => fn () => $bound()->synchronized($throws),
	'an exception leaves the object' => function () use ($bound, $throws) {
		$lock = $bound();
		$_ = $lock->acquire();
		$throws();
	},
];
foreach ($ends as $where => $code) {
	$loop->start(function () use ($where, $code, &$polls) {
		try {
			$code();
		} catch (DomainException $e) {
			step($where, $polls > 0 ? 'suspended' : 'blocked', $e->getPrevious()?->getMessage());
		}
	});
	$loop->run();
	wait_until(fn () => $redis('EXISTS', 'where:bound') === 0);
}
$destroyed = new Fiber(function () use ($blocks) {
	try {
		Fiber::suspend();
	} finally {
		$blocks('a destroyed fiber');
	}
});
$destroyed->start();
unset($destroyed);
RedisLock\observe(fn (string $event, array $lock) => $lock['name'] === 'where:2' && $blocks('an observer'));
$lock->lock('where:2');
RedisLock\observe(null);
pcntl_async_signals(true);
pcntl_signal(SIGUSR1, fn () => $blocks('a signal handler'));
posix_kill(getmypid(), SIGUSR1);
step('taken back', RedisLock::setPoller(null) !== null, RedisLock::setPoller(null));
$loop->start(fn () => $blocks('without a poller'));
RedisLock::setPoller($poll, true);
?>
--EXPECT--
none before: NULL
the one before: true
main: 'blocked'
a fiber: 'suspended'
main, with $main: 'suspended'
a destructor: 'blocked'
behind an exception: 'suspended'
an exception leaves a callable: 'blocked', NULL
an exception leaves the object: 'blocked', NULL
a destroyed fiber: 'blocked'
an observer: 'blocked'
a signal handler: 'blocked'
taken back: true, NULL
without a poller: 'blocked'
a shutdown function: 'blocked'
