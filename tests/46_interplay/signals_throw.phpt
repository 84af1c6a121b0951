--TEST--
SequenceTask::execute(): an exception of a user's signal handler passes, and the lock is freed
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
if (!extension_loaded('pcntl')) {
	die('skip pcntl is not loaded');
}
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';

$s = new Server;
$redis = $s->client();
pcntl_async_signals(true);
foreach ([SIGUSR1, SIGALRM, SIGTERM] as $signal) {
	pcntl_signal($signal, function () {
		throw new DomainException('out of the handler');
	});
}
$sender = new Php('while ($line = fgets(STDIN)) {
	posix_kill((int) $argv[1], (int) $line);
}', [getmypid()]);

$other = new RedisLock($s->options(['name' => 'signals_throw-other']));
$places = [
	'hot loop' => function () {
		for (;;);
	},
	'sleep' => function () {
		sleep(20);
		for (;;);
	},
	'waiting for another lock' => fn () => $other->acquire(20),
];
$redis('SET', 'signals_throw-other', 'somebody');
foreach ($places as $place => $code) {
	foreach ([SIGUSR1, SIGALRM, SIGTERM] as $signal) {
		try {
			SequenceTask::execute($s->options(['name' => 'signals_throw']), function (RedisLock $lock) use ($code, $sender, $signal, $redis,
				&$kept) {
				$kept = $lock; /* so that its destructor is not the one who releases */
				var_dump($redis('EXISTS', 'signals_throw'));
				$sender->tell((string) $signal);
				$code();
				echo "not reached\n";
			});
		} catch (DomainException $e) {
			echo "$place: ", $e->getMessage(), ', previous ', get_debug_type($e->getPrevious()), ', key ',
				$redis('EXISTS', 'signals_throw'), "\n";
		}
	}
}
/* The connection and the renewal child serve on. */
var_dump(SequenceTask::execute($s->options(['name' => 'signals_throw']), fn () => 'on'));
--EXPECT--
int(1)
hot loop: out of the handler, previous null, key 0
int(1)
hot loop: out of the handler, previous null, key 0
int(1)
hot loop: out of the handler, previous null, key 0
int(1)
sleep: out of the handler, previous null, key 0
int(1)
sleep: out of the handler, previous null, key 0
int(1)
sleep: out of the handler, previous null, key 0
int(1)
waiting for another lock: out of the handler, previous null, key 0
int(1)
waiting for another lock: out of the handler, previous null, key 0
int(1)
waiting for another lock: out of the handler, previous null, key 0
string(2) "on"
