--TEST--
INI settings: their defaults, and they may be changed at run time
--EXTENSIONS--
redislock
--FILE--
<?php
foreach (ini_get_all('redislock') as $name => $setting) {
	echo $name, ' = ', var_export($setting['global_value'], true), $setting['access'] === INI_ALL ? '' :
		', restricted', "\n";
}
?>
--EXPECT--
redislock.connect_timeout = '2'
redislock.io_timeout = '2'
redislock.prefix = ''
redislock.redlock_class = '1', restricted
redislock.renewal = 'process'
redislock.renewal_idle = '60'
redislock.server = 'tcp://127.0.0.1:6379'
redislock.ttl = '0'
