--TEST--
Magento 2: the lock manager
--SKIPIF--
<?php require __DIR__ . '/../inc/vendor.inc'; skip_unless_adapters(); ?>
--FILE--
<?php
require __DIR__ . '/../inc/other_process.inc';
require_once __DIR__ . '/../inc/timing.inc';
load_framework('magento');

$server = new Server;
$redis = $server->client();
$locks = new RedisLock\Magento\LockManager("unix:$server->socket");
$other = new OtherProcess('magento', $server->socket, '$locks = new RedisLock\Magento\LockManager("unix:$socket");');
$say = fn (string $what, mixed $value) => print("$what: " . json_encode($value) . "\n");

$say('locked before', $locks->isLocked('cron_default'));
$say('lock', $locks->lock('cron_default', 0));
$say('locked', [$locks->isLocked('cron_default'), json_decode($other->ask('return $locks->isLocked("cron_default");'))]);
$say('lock again', $locks->lock('cron_default', 0));
$say('for ever, again', $locks->lock('cron_default'));
$say('by another process', json_decode($other->ask('return $locks->lock("cron_default", 0);')));
$say('unlock by another process', json_decode($other->ask('return $locks->unlock("cron_default");')));
$other->tell('return $locks->lock("cron_default");');
wait_until(fn () => str_contains($redis('INFO', 'clients'), 'blocked_clients:1'));
$say('unlock', $locks->unlock('cron_default'));
$say('the other one has waited for ever', json_decode($other->line()));
$say('unlock again', $locks->unlock('cron_default'));
$say('renewed', is_renewed($redis, 'magento:cron_default'));
$other->kill();
$began = now();
$say('killed: lock', $locks->lock('cron_default', 20));
expect_taken('seconds', $began, 0, 5);
$say('unlock', $locks->unlock('cron_default'));
$redis('SET', 'magento:deleted', 'x');
$say("somebody else's", [$locks->lock('deleted', 0), $locks->isLocked('deleted')]);
?>
--EXPECT--
locked before: false
lock: true
locked: [true,true]
lock again: false
for ever, again: false
by another process: false
unlock by another process: false
unlock: true
the other one has waited for ever: true
unlock again: false
renewed: true
killed: lock: true
seconds: ok
unlock: true
somebody else's: [false,true]
