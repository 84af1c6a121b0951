--TEST--
excimer: a loss is not told out of a timer's callback that came between the arguments of a call, before PHP 8.4
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_extension('excimer'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';

$s = new Server;
$php = new Php(<<<'PHP'
	class Held
	{
		public static bool $gone = false;

		public function __destruct()
		{
			self::$gone = true;
		}
	}
	$held = new Held;
	$redis = new Client("unix://$argv[1]");
	$called = false;
	$timer = new ExcimerTimer;
	$timer->setEventType(EXCIMER_REAL);
	$timer->setInterval(0.1);
	$timer->setCallback(function () use ($redis, &$called) {
		$called = true;
		$redis('DEL', 'excimer_amid_call');
		for ($end = now() + 0.2; now() < $end;);
	});
	try {
		$config = ['unix_socket' => $argv[1], 'name' => 'excimer_amid_call', 'ttl' => 30, 'interval' => 0.02];
		SequenceTask::execute($config, function () use ($timer, $held) {
			$timer->start();
			for ($i = 0; $i < 1000; $i++) {
				sprintf('', $held); /* This argument stays where the next call will have its second one. */
				strcmp(md5('x'), exec('sleep 0.01; date +%N'));
			}
		});
	} catch (RedisLock\LockLostException $e) {
		var_dump($called, $e->hasResult());
	}
	unset($e);
	var_dump(Held::$gone);
	PHP, [$s->socket], ['extension=excimer']);
echo $php->rest();
var_dump($php->end());
--EXPECT--
bool(true)
bool(false)
bool(false)
array(1) {
  ["exit"]=>
  int(0)
}
