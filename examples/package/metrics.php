<?php
/*
 * A worker that says how its locks fare: Prometheus reads the numbers at http://127.0.0.1:9464/metrics, and losses go to the
 * log at once.
 *
 *     php metrics.php [ADDRESS]
 *
 * In PHP-FPM the two lines with Prometheus are a page of their own; its numbers are those of the worker that answers.
 */

use RedisLock\LockFactory;
use RedisLock\Observe\Observer;
use RedisLock\Observe\Prometheus;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

$page = stream_socket_server('tcp://' . ($argv[1] ?? '127.0.0.1:9464')) ?: exit(1);

Observer::start(function (string $event, array $details): void {
	if ($event === 'lost') {
		error_log("lock \"$details[name]\" was lost after $details[hold] s");
	}
});
$locks = new LockFactory(getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379', ['label' => 'worker']);

for (;;) {
	$job = $locks->lock('mails', ['ttl' => 10]);
	if ($job->acquire(0.5)) {
		usleep(100_000); // the work
		echo $job->release() ? "sent\n" : "sent, but it took longer than the ttl\n";
	} else {
		echo "another worker sends\n";
	}
	$client = @stream_socket_accept($page, 1.0); // the pause between two jobs
	if ($client !== false) {
		stream_set_timeout($client, 1);
		while (trim((string) fgets($client)) !== '') {
			// the request, which may be any
		}
		$numbers = Prometheus::text(['worker' => 'mails']);
		fwrite($client, "HTTP/1.0 200 OK\r\nContent-Type: " . Prometheus::CONTENT_TYPE . "\r\nConnection: close\r\n\r\n$numbers");
		fclose($client);
	}
}
