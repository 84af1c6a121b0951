--TEST--
RedisLock\Observe: a PSR-3 logger, the text of Prometheus, and Laravel's events
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();
load_adapters();
use RedisLock\Observe\{Log, Observer, Prometheus};

$logger = new class extends Psr\Log\AbstractLogger {
	public function log($level, string|Stringable $message, array $context = []): void
	{
		$context = array_map(fn ($value) => is_float($value) ? 'n' : $value, $context);
		echo "$level: ", strtr($message, ['{name}' => $context['name'], '{wait}' => $context['wait'], '{hold}' => $context['hold']]),
			' (', implode(' ', array_keys($context)), ")\n";
	}
};
$events = new Illuminate\Events\Dispatcher();
$events->listen('redislock.*', function (string $event, array $details) {
	echo "  Laravel: $event {$details[0]['name']}, {$details[0]['kind']}\n";
});
$server = new Server();
$redis = $server->client();
Observer::start(function (string $event) {
	if ($event === 'refused') {
		throw new LogicException('the first of them fails');
	}
}, new Log($logger), fn (string $event, array $details) => $events->dispatch("redislock.$event", [$details]));
$lock = new RedisLock($server->options(['name' => 'packages_observe']));
$_ = $lock->acquire();
@(new RedisLock($server->options(['name' => 'packages_observe'])))->acquire(0.5);
$lock->release();
$_ = $lock->acquire();
$redis('DEL', 'packages_observe');
$_ = $lock->keepAlive();
Observer::stop();
$_ = $lock->acquire();

$lines = explode("\n", Prometheus::text(['app' => 'a"b']));
echo implode("\n", preg_grep('/^redislock_(acquired|lost|refused|wait_seconds_(count|bucket.*\+Inf))/', $lines)), "\n";
echo Prometheus::format(['s' => array_fill_keys(['acquired', 'refused', 'lost', 'released', 'released_late', 'renewed', 'renewal_failures',
	'reconnects', 'stale'], 1) + ['waited' => ['count' => 5, 'seconds' => 2.5, 'histogram' => ['0.1' => 2, '1' => 3, 'INF' => 0]]]], []);
?>
--EXPECTF--
debug: Lock "packages_observe" is acquired (event name kind wait hold server)
  Laravel: redislock.acquired packages_observe, lease
debug: Lock "packages_observe" was waited for, n s (event name kind wait hold server)
  Laravel: redislock.waited packages_observe, lease
notice: Lock "packages_observe" is held by somebody else (event name kind wait hold server)
  Laravel: redislock.refused packages_observe, lease
debug: Lock "packages_observe" is released after n s (event name kind wait hold server)
  Laravel: redislock.released packages_observe, lease
debug: Lock "packages_observe" is acquired (event name kind wait hold server)
  Laravel: redislock.acquired packages_observe, lease
error: Lock "packages_observe" is lost after n s (event name kind wait hold server)
  Laravel: redislock.lost packages_observe, lease
redislock_acquired_total{server="unix://%s",app="a\"b",pid="%d"} 3
redislock_refused_total{server="unix://%s",app="a\"b",pid="%d"} 1
redislock_lost_total{server="unix://%s",app="a\"b",pid="%d"} 1
redislock_wait_seconds_bucket{server="unix://%s",app="a\"b",pid="%d",le="+Inf"} 1
redislock_wait_seconds_count{server="unix://%s",app="a\"b",pid="%d"} 1
# HELP redislock_acquired_total Locks that were acquired.
# TYPE redislock_acquired_total counter
redislock_acquired_total{server="s"} 1
# HELP redislock_refused_total Acquisitions that somebody else has refused by holding the lock.
# TYPE redislock_refused_total counter
redislock_refused_total{server="s"} 1
# HELP redislock_lost_total Locks that turned out not to be ours any more.
# TYPE redislock_lost_total counter
redislock_lost_total{server="s"} 1
# HELP redislock_released_total Releases that the server has confirmed.
# TYPE redislock_released_total counter
redislock_released_total{server="s"} 1
# HELP redislock_released_late_total Those of them after the validity was over.
# TYPE redislock_released_late_total counter
redislock_released_late_total{server="s"} 1
# HELP redislock_renewed_total Renewals that a server has confirmed.
# TYPE redislock_renewed_total counter
redislock_renewed_total{server="s"} 1
# HELP redislock_renewal_failures_total Renewals that failed.
# TYPE redislock_renewal_failures_total counter
redislock_renewal_failures_total{server="s"} 1
# HELP redislock_reconnects_total Connections opened after the first of an object.
# TYPE redislock_reconnects_total counter
redislock_reconnects_total{server="s"} 1
# HELP redislock_stale_total Connections found closed by the server.
# TYPE redislock_stale_total counter
redislock_stale_total{server="s"} 1
# HELP redislock_wait_seconds Time of acquisitions that did not end with the first try.
# TYPE redislock_wait_seconds histogram
redislock_wait_seconds_bucket{server="s",le="0.1"} 2
redislock_wait_seconds_bucket{server="s",le="1"} 5
redislock_wait_seconds_bucket{server="s",le="+Inf"} 5
redislock_wait_seconds_sum{server="s"} 2.5
redislock_wait_seconds_count{server="s"} 5
