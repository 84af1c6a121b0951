--TEST--
phpinfo() says what a kill costs when renewal is off
--EXTENSIONS--
redislock
--FILE--
<?php
/* An ini file turns an unquoted off into an empty string. */
foreach (['process', 'off', ''] as $mode) {
	ini_set('redislock.renewal', $mode);
	ob_start();
	(new ReflectionExtension('redislock'))->info();
	preg_match_all('/^(Renewal|Locks of a killed process) => (.*)$/m', ob_get_clean(), $m);
	echo implode('; ', $m[2]), "\n";
}
?>
--EXPECT--
process; released at once, after their ttl if its container ends with it
off; released after their ttl
off; released after their ttl
