--TEST--
Laravel's queue worker: runs, times out and stops jobs under a lock as without one
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor('pcntl', 'mbstring', 'ctype', 'tokenizer'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/timing.inc';

$s = new Server;
$redis = $s->client();
/* The worker is Laravel's own; its queue is an array of names, and Handler does what they stand for. */
$worker = 'require "' . vendor_autoload() . '";' . <<<'CODE'
	use Illuminate\Container\Container;
	use Illuminate\Contracts\Debug\ExceptionHandler;
	use Illuminate\Events\Dispatcher;
	use Illuminate\Queue\Jobs\SyncJob;
	use Illuminate\Queue\QueueManager;
	use Illuminate\Queue\SyncQueue;
	use Illuminate\Queue\Worker;
	use Illuminate\Queue\WorkerOptions;

	const JOBS = [
		"short" => "return 1;",
		"process" => "exec('exit 3', \$lines, \$code); say(\"exit \$code\");",
		"throws" => "throw new DomainException('business');",
		"lost" => "say('in'); for (;;);",
		"endless" => "say('in'); soon_too_late(); for (;;);",
		"asleep" => "say('in'); soon_too_late(); for (;;) sleep(60);",
		"stopped" => "say('in'); wait_until(fn () => \$GLOBALS['worker']->shouldQuit);",
	];
	function say($line) {
		echo "$line\n";
	}
	/* The worker has set this alarm for the job, but how long it takes to come here depends on the machine. */
	function soon_too_late() {
		fgets(STDIN);
		pcntl_alarm(1);
	}
	final class Handler {
		public function fire($job, $name) {
			$code = fn () => eval(JOBS[$name]);
			try {
				SequenceTask::execute(["unix_socket" => $GLOBALS["argv"][1], "name" => "laravel_worker", "ttl" => 30,
					"interval" => 0.05], $code);
				say("$name: done");
			} finally {
				$job->delete();
			}
		}
	}
	final class ArrayQueue extends SyncQueue {
		public array $names;
		public function pop($queue = null) {
			$name = array_shift($this->names);
			return $name === null ? null : new SyncJob($GLOBALS["container"], json_encode(["job" => "Handler@fire", "data" => $name]),
				"array", $queue);
		}
	}
	$container = Container::getInstance();
	$manager = new QueueManager($container);
	$container["config"] = ["queue.connections.array" => ["driver" => "array"], "queue.default" => "array",
		"queue.failed.database" => null];
	$manager->addConnector("array", fn () => new class {
		public function connect(array $config) {
			$queue = new ArrayQueue;
			$queue->names = array_slice($GLOBALS["argv"], 2);
			return $queue;
		}
	});
	$container[ExceptionHandler::class] = new class implements ExceptionHandler {
		public function report(Throwable $e) { say(get_class($e) . ": " . $e->getMessage()); }
		public function shouldReport(Throwable $e) { return true; }
		public function render($request, Throwable $e) {}
		public function renderForConsole($output, Throwable $e) {}
	};
	$container[Illuminate\Contracts\Events\Dispatcher::class] = $events = new Dispatcher($container);
	$worker = new Worker($manager, $events, $container[ExceptionHandler::class], fn () => false);
	say(getmypid());
	exit($worker->daemon("array", "default", new WorkerOptions(timeout: 60, sleep: 0, maxTries: 1, stopWhenEmpty: true)));
	CODE;
$start = function (string ...$jobs) use ($worker, $s): Php {
	$php = new Php($worker, [$s->socket, ...$jobs], [...load('pcntl', 'mbstring', 'ctype', 'tokenizer'),
		'auto_prepend_file=' . dirname(__DIR__) . '/inc/vendor_deprecations.inc']);
	$php->await((string) $php->pid);
	return $php;
};
$free = fn () => $redis('EXISTS', 'laravel_worker') === 0;

/* Several jobs of one process, among them one that throws and one that loses its lock. */
$php = $start('short', 'process', 'throws', 'lost', 'short');
while (($line = $php->line()) !== null) {
	echo "$line\n";
	if ($line === 'in') {
		$redis('DEL', 'laravel_worker');
	}
}
echo json_encode($php->end()), $free() ? ", free\n" : ", not free\n";

/* The worker kills itself when a job takes too long, with SIGKILL: nobody but the renewal child can free the lock. */
foreach (['endless', 'asleep'] as $job) {
	expect_within("$job: free after", 0.05, function () use ($job, $start, $free) {
		$php = $start('short', $job, 'short');
		$php->await('in');
		$child = await_renewal_child($php->pid);
		$held = !$free();
		$php->tell('on');
		$seen = [$held, $php->rest(), $php->end()];
		$ended = now();
		wait_until($free);
		$seconds = taken($ended);
		if ($seen !== [true, '', ['signal' => SIGKILL]] || !comes_true(fn () => !is_running($child))) {
			var_dump($seen, is_running($child));
		}
		return $seconds;
	}, 3);
}

/* SIGTERM lets it finish its job, with the lock, and end. */
$php = $start('stopped', 'short');
$php->await('in');
$held = !$free();
$php->signal(SIGTERM);
echo $php->rest(), json_encode([$held, $php->end()]), $free() ? ", free\n" : ", not free\n";
--EXPECT--
short: done
exit 3
process: done
DomainException: business
in
RedisLock\LockLostException: lock "laravel_worker" was lost: its key was deleted or has another owner
short: done
{"exit":0}, free
endless: free after: ok
asleep: free after: ok
stopped: done
[true,{"exit":0}], free
