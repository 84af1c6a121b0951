--TEST--
RedisLock\observe(): a fatal error in the observer ends the script, wherever it is called
--EXTENSIONS--
pcntl
--SKIPIF--
<?php require __DIR__ . '/../inc/redislock.inc'; skip_unless_server();
--FILE--
<?php
require __DIR__ . '/../inc/redislock.inc';
$server = new Server();
$redis = $server->client();
$bound = 'new RedisLock($options + ["renew" => true, "interval" => 0.02])';
$lose = '$_ = $lock->acquire(); echo "held\n"; fgets(STDIN);';
$places = [
	'acquire' => ['acquired', '$lock = new RedisLock($options); $_ = $lock->acquire();'],
	'execute' => ['refused', '$lock = new RedisLock($options); $_ = $lock->acquire(); SequenceTask::execute($options, fn () => null);'],
	'a loop' => ['lost', "\$lock = $bound; $lose for (\$end = now() + 10; now() < \$end;);"],
	'a loop, flag' => ['lost', "\$lock = new RedisLock(['on_lost' => 'flag'] + \$options + ['renew' => true, 'interval' => 0.02]); $lose for (\$end = now() + 10; now() < \$end;);"],
	'a loop, destroyed' => ['released', "\$lock = $bound; \$_ = \$lock->acquire(); unset(\$lock); for (\$end = now() + 10; now() < \$end;);"],
	/* The fiber that acquired it has ended, and no signal tells of the loss before. */
	'isHeld' => ['lost', "\$lock = $bound; (new Fiber(fn () => \$lock->acquire()))->start(); pcntl_sigprocmask(SIG_BLOCK, [SIGURG]);
		echo \"held\\n\"; fgets(STDIN); while (\$lock->isHeld());"],
	'endRequest' => ['released', "RedisLock\\Worker::beginRequest(); \$lock = $bound; \$_ = \$lock->acquire(); RedisLock\\Worker::endRequest();"],
	'a destructor' => ['released', "class Holder { public \$lock; function __destruct() { \$this->lock->release(); echo 'went on '; } }
		\$holder = new Holder; \$holder->lock = \$lock = $bound; \$_ = \$lock->acquire(); unset(\$holder);"],
	'a loop in a destructor' => ['released', "class Holder { public \$lock; function __destruct() { \$this->lock = null; for (\$end = now() + 10; now() < \$end;); echo 'went on '; } }
		\$holder = new Holder; \$holder->lock = $bound; \$_ = \$holder->lock->acquire(); unset(\$holder);"],
	'a callable' => ['lost', "SequenceTask::execute(\$options + ['interval' => 0.02], function () { echo \"held\n\"; fgets(STDIN); for (\$end = now() + 10; now() < \$end;); });"],
];
foreach ($places as $place => [$event, $code]) {
	$php = new Php('$options = unserialize($argv[1]) + ["name" => "observe_fatal"];
		RedisLock\observe(fn ($event) => $event === "' . $event . '" && trigger_error("in the observer", E_USER_ERROR));
		' . $code . ' echo "went on\n";', [serialize($server->options())], ['fatal_error_backtraces=0']);
	if (str_contains($code, 'fgets')) {
		$php->await('held');
		$redis('DEL', 'observe_fatal');
		$php->tell('lost');
	}
	preg_match_all('/Fatal error: in the observer|Uncaught|went on/', $php->rest(), $said);
	$redis('DEL', 'observe_fatal');
	step($place, implode(', ', $said[0]), ...$php->end());
}
?>
--EXPECT--
acquire: 'Fatal error: in the observer', 255
execute: 'Fatal error: in the observer', 255
a loop: 'Fatal error: in the observer', 255
a loop, flag: 'Fatal error: in the observer', 255
a loop, destroyed: 'Fatal error: in the observer', 255
isHeld: 'Fatal error: in the observer', 255
endRequest: 'Fatal error: in the observer', 255
a destructor: 'Fatal error: in the observer', 255
a loop in a destructor: 'Fatal error: in the observer', 255
a callable: 'Fatal error: in the observer', 255
