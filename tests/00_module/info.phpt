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
[$table, $settings] = explode("Directive", ob_get_clean());
$settings = explode("\n", trim($settings));
sort($settings); /* their order is PHP's business */
echo $table, implode("\n", $settings), "\n";
?>
--EXPECTF--
redislock

redislock support => enabled
Version => %d.%d.%s
hiredis version => %d.%d.%d
TLS => %s
Renewal => process
A lock whose holder is killed is free => within milliseconds, after its ttl if the container dies with it
Script acquire_fence => %x
Script extend => %x
Script force_release => %x
Script holder => %x
Script join => %x
Script owned => %x
Script release => %x
Script renew => %x
Script secure => %x

=> Local Value => Master Value
redislock.connect_timeout => 2 => 2
redislock.io_timeout => 2 => 2
redislock.prefix => no value => no value
redislock.renewal => process => process
redislock.server => tcp://127.0.0.1:6390 => tcp://127.0.0.1:6390
redislock.ttl => 0 => 0
