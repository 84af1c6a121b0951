--TEST--
Symfony: a serialised key with a member that is no token of a holder does nothing to another client's lock
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_vendor(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/vendor.inc';
require __DIR__ . '/../inc/outcome.inc';
require vendor_autoload();

use RedisLock\Symfony\RedisLockStore;
use Symfony\Component\Lock\Key;

$server = new Server;
$redis = $server->client();
$later = $redis('TIME')[0] * 1000 + 60_000;
$redis('ZADD', 'symfony_foreign_token', $later, 'writer', $later, '__write__', $later, 'heavy', $later, 'heavy#2');
$redis('PEXPIREAT', 'symfony_foreign_token', $later);
$store = new RedisLockStore($server->options());
foreach (['__write__', 'heavy#2'] as $token) {
	$said = [];
	$key = new Key('symfony_foreign_token');
	$key->setState(RedisLockStore::class, $token);
	$key = unserialize(serialize($key));
	foreach (['exists' => [], 'putOffExpiration' => [30.0], 'save' => [], 'saveRead' => [], 'delete' => []] as $method => $arguments) {
		$said[] = strtok(outcome(fn () => $store->$method($key, ...$arguments)), ':');
	}
	step($token, count($said), ...array_unique($said));
}
step('the set has', $redis('ZCARD', 'symfony_foreign_token'), $redis('PTTL', 'symfony_foreign_token') > 30_000);
?>
--EXPECT--
__write__: 5, 'Symfony\\Component\\Lock\\Exception\\InvalidArgumentException'
heavy#2: 5, 'Symfony\\Component\\Lock\\Exception\\InvalidArgumentException'
the set has: 4, true
