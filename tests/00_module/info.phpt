--TEST--
phpinfo() answers the first questions of a bug report
--EXTENSIONS--
redislock
--INI--
redislock.server=tcp://127.0.0.1:6390
--FILE--
<?php
ob_start();
(new ReflectionExtension('redislock'))->info();
[$first, $settings, $scripts] = preg_split('/^Directive|^(?=Script acquire)/m', ob_get_clean());
$settings = explode("\n", trim($settings));
sort($settings); /* their order is PHP's business */
echo $first, implode("\n", $settings), "\n\n", $scripts;
?>
--EXPECTF--
redislock

redislock support => enabled
Version => %d.%d.%s
Renewal => process
Locks of a killed process => released at once, after their ttl if its container ends with it
A loss is told => at once, where the server has CLIENT TRACKING
TLS => %s
hiredis version => %d.%d.%d

=> Local Value => Master Value
redislock.connect_timeout => 2 => 2
redislock.io_timeout => 2 => 2
redislock.prefix => no value => no value
redislock.redlock_class => On => On
redislock.renewal => process => process
redislock.renewal_idle => 60 => 60
redislock.server => tcp://127.0.0.1:6390 => tcp://127.0.0.1:6390
redislock.ttl => 0 => 0

Script acquire_fence => %x
Script check => %x
Script extend => %x
Script force_release => %x
Script holder => %x
Script join => %x
Script lengthen => %x
Script owned => %x
Script release => %x
Script renew => %x
Script set_check => %x
Script set_downgrade => %x
Script set_extend => %x
Script set_free => %x
Script set_holders => %x
Script set_join => %x
Script set_lengthen => %x
Script set_owned => %x
Script set_release => %x
Script set_take => %x
Script set_try => %x
Script set_upgrade => %x
