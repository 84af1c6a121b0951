--TEST--
RedisLock\Observe\OpenTelemetry: counters, histograms of waits and holds, and waits as spans
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor('mbstring'); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();
load_adapters();
use OpenTelemetry\SDK\Metrics\Data\{Histogram, Temporality};
use OpenTelemetry\SDK\Metrics\{MeterProvider, MetricExporter, MetricReader\ExportingReader};
use OpenTelemetry\SDK\Trace\{SpanExporter\InMemoryExporter, SpanProcessor\SimpleSpanProcessor, TracerProvider};
use RedisLock\Observe\{Observer, OpenTelemetry};

$server = new Server();
$redis = $server->client();
$say = fn (string $name, iterable $attributes) => print("$name " .
	str_replace($server->socket, 'SERVER', json_encode([...$attributes], JSON_UNESCAPED_SLASHES)) . "\n");
$collect = function (MetricExporter\InMemoryExporter $exporter, ExportingReader $reader) use ($say): void {
	$reader->collect();
	foreach ($exporter->collect(true) as $metric) {
		foreach ($metric->data->dataPoints as $point) {
			$value = $metric->data instanceof Histogram ? "$point->count times, " . count($point->explicitBounds) . ' bounds,' : $point->value;
			if ($value !== 0) {
				$say(rtrim("$metric->name: $value $metric->unit"), $point->attributes);
			}
		}
	}
};
$play = function () use ($server, $redis): void {
	$lock = new RedisLock($server->options(['name' => 'telemetry']));
	$_ = $lock->acquire();
	$_ = (new RedisLock($server->options(['name' => 'telemetry'])))->acquire(0.5);
	$lock->release();
	$lock = new RedisLock($server->options(['name' => 'telemetry', 'renew' => true, 'on_lost' => 'flag']));
	$_ = $lock->acquire();
	$redis('DEL', 'telemetry');
	$_ = $lock->keepAlive();
};
$play(); // before, and not counted

$reader = new ExportingReader($metrics = new MetricExporter\InMemoryExporter(temporality: Temporality::CUMULATIVE));
$meter = MeterProvider::builder()->addReader($reader)->build()->getMeter('redislock');
$tracer = (new TracerProvider(new SimpleSpanProcessor($spans = new InMemoryExporter())))->getTracer('redislock');
Observer::start(new OpenTelemetry($meter, $tracer));
$play();
$collect($metrics, $reader);
foreach ($spans->getSpans() as $span) {
	$say($span->getName(), $span->getAttributes());
	expect_between("\tseconds", ($span->getEndEpochNanos() - $span->getStartEpochNanos()) / 1e9, 0.01, 5);
	expect_between("\tended before", microtime(true) - $span->getEndEpochNanos() / 1e9, 0, 20);
}

echo "-- another for the next request of a worker: counted once, and not back to zero\n";
Observer::start(new OpenTelemetry($meter));
$play();
$collect($metrics, $reader);
?>
--EXPECT--
redislock.wait.duration: 1 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"lease"}
redislock.hold.duration: 1 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"lease"}
redislock.hold.duration: 1 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"process-bound","error.type":"RedisLock\\LockLostException"}
redislock.acquired: 2 {"db.system.name":"redis","server.address":"SERVER"}
redislock.refused: 1 {"db.system.name":"redis","server.address":"SERVER"}
redislock.lost: 1 {"db.system.name":"redis","server.address":"SERVER"}
redislock.released: 1 {"db.system.name":"redis","server.address":"SERVER"}
redislock.wait {"redislock.name":"telemetry","db.system.name":"redis","server.address":"SERVER","redislock.kind":"lease"}
	seconds: ok
	ended before: ok
-- another for the next request of a worker: counted once, and not back to zero
redislock.wait.duration: 2 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"lease"}
redislock.hold.duration: 2 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"lease"}
redislock.hold.duration: 2 times, 10 bounds, s {"db.system.name":"redis","server.address":"SERVER","redislock.kind":"process-bound","error.type":"RedisLock\\LockLostException"}
redislock.acquired: 4 {"db.system.name":"redis","server.address":"SERVER"}
redislock.refused: 2 {"db.system.name":"redis","server.address":"SERVER"}
redislock.lost: 2 {"db.system.name":"redis","server.address":"SERVER"}
redislock.released: 2 {"db.system.name":"redis","server.address":"SERVER"}
