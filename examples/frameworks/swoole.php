<?php
/*
 * Swoole: an HTTP server with one process. Requests that wait for a lock are suspended, and others are served meanwhile.
 *
 * Try it: php swoole.php & curl 'localhost:9501/report?[1-3]' & curl localhost:9501/
 */

use RedisLock\Async\Swoole;
use Swoole\Coroutine\System;
use Swoole\Http\Request;
use Swoole\Http\Response;
use Swoole\Http\Server;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

Swoole::install();
$server = new Server('127.0.0.1', (int) (getenv('PORT') ?: 9501));
$server->set(['worker_num' => 1]);
$server->on('request', function (Request $request, Response $response): void {
	if ($request->server['request_uri'] !== '/report') {
		$response->end("served\n");

		return;
	}
	$lock = new RedisLock(['url' => getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379', 'name' => 'report', 'wait' => 10, 'renew' => true]);
	if ($lock->acquire()) {
		System::sleep(0.5); // writes the report
		$lock->release();
	}
	$response->end("the report\n");
});
$server->start();
