<?php
/*
 * ReactPHP: a lock is waited for in a fiber, and the event loop goes on.
 *
 * Try it twice at the same time: php reactphp.php & php reactphp.php
 */

use React\EventLoop\Loop;
use RedisLock\Async\React;

require getenv('COMPOSER_AUTOLOAD') ?: 'vendor/autoload.php';

React::install();
$options = ['url' => getenv('REDIS_URL') ?: 'tcp://127.0.0.1:6379', 'name' => 'report', 'wait' => 10, 'renew' => true];

foreach ([1, 2, 3] as $number) {
	Loop::futureTick(function () use ($options, $number): void {
		(new Fiber(function () use ($options, $number): void { // React\Async\async() starts one, too
			$lock = new RedisLock($options);
			if ($lock->acquire()) {
				echo "request $number has written its page\n";
				$lock->release();
			}
		}))->start();
	});
}
Loop::run();
