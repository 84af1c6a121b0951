--TEST--
webman: the middleware ends the locks of a request with it
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require vendor_autoload();
load_framework('webman');

use Webman\Http\Request;
use Webman\Http\Response;

$server = new Server;
$redis = $server->client();
$middleware = new RedisLock\Webman\RequestLocks;
$before = new RedisLock($server->options(['name' => 'before', 'renew' => true]));
$_ = $before->acquire();
$kept = [];
$serve = function (string $name, callable $then) use ($middleware, $server, &$kept): string {
	return $middleware->process(new Request(''), function () use ($server, $name, $then, &$kept) {
		$kept[$name] = new RedisLock($server->options(['name' => $name, 'renew' => true]));
		$_ = $kept[$name]->acquire();
		return $then();
	})->rawBody();
};
echo $serve('left', fn () => new Response(200, [], 'done')), "\n";
echo 'keys left and before: ', $redis('EXISTS', 'left'), $redis('EXISTS', 'before'), "\n";
try {
	$serve('thrown', fn () => throw new DomainException('failed'));
} catch (DomainException $e) {
	echo $e->getMessage(), ', key: ', $redis('EXISTS', 'thrown'), "\n";
}
echo 'again: ', $serve('left', fn () => new Response(200, [], 'done')), ', key: ', $redis('EXISTS', 'left'), "\n";
echo implode("\n", support\Log::$logged), "\n";
$middleware->process(new Request(''), fn () => new Response);
echo count(support\Log::$logged), "\n";
?>
--EXPECT--
done
keys left and before: 01
failed, key: 0
again: done, key: 0
notice: A request left the lock "left" behind. It has ended with the request.
notice: A request left the lock "thrown" behind. It has ended with the request.
notice: A request left the lock "left" behind. It has ended with the request.
3
