--TEST--
Options of the wrong type are refused by name
--EXTENSIONS--
redislock
--FILE--
<?php
require __DIR__ . '/../inc/outcome.inc';
$rows = [];
foreach (['name', 'prefix', 'token', 'label', 'client_name', 'username', 'password', 'host', 'path', 'scheme',
	'on_lost',
	'url'] as $key) {
	$rows["$key array"] = [$key => ['x' => 1]];
	$rows["$key float"] = [$key => 1.5];
	$rows["$key object"] = [$key => new ArrayObject];
}
foreach (['ttl', 'wait', 'retry_ms', 'interval', 'max_hold', 'hold_at_least', 'linger', 'port', 'database', 'timeout',
	'read_timeout', 'retries'] as $key) {
	$rows["$key word"] = [$key => 'soon'];
	$rows["$key bool"] = [$key => true];
	$rows["$key array"] = [$key => []];
}
foreach (['renew', 'reentrant', 'fence'] as $key) {
	$rows["$key word"] = [$key => 'perhaps'];
	$rows["$key number"] = [$key => 2];
	$rows["$key float"] = [$key => 1.0];
	$rows["$key closure"] = [$key => fn () => true];
}
$rows['auth'] = ['auth' => 1.5];
$rows['auth list'] = ['auth' => ['a', 'b', 'c']];
$rows['auth map'] = ['auth' => ['user' => 'a', 'passwort' => 's3cret']];
$rows['options'] = ['options' => 'x'];
$rows['a list'] = ['a', 'b'];
$loop = [];
$loop['servers'] = [&$loop];
$rows['a loop'] = $loop;
each_configuration($rows);
?>
--EXPECT--
name array: TypeError: option "name" must be a string, array given
name float: TypeError: option "name" must be a string, float given
name object: TypeError: option "name" must be a string, ArrayObject given
prefix array: TypeError: option "prefix" must be a string, array given
prefix float: TypeError: option "prefix" must be a string, float given
prefix object: TypeError: option "prefix" must be a string, ArrayObject given
token array: TypeError: option "token" must be a string, array given
token float: TypeError: option "token" must be a string, float given
token object: TypeError: option "token" must be a string, ArrayObject given
label array: TypeError: option "label" must be a string, array given
label float: TypeError: option "label" must be a string, float given
label object: TypeError: option "label" must be a string, ArrayObject given
client_name array: TypeError: option "client_name" must be a string, array given
client_name float: TypeError: option "client_name" must be a string, float given
client_name object: TypeError: option "client_name" must be a string, ArrayObject given
username array: TypeError: option "username" must be a string, array given
username float: TypeError: option "username" must be a string, float given
username object: TypeError: option "username" must be a string, ArrayObject given
password array: TypeError: option "password" must be a string, array given
password float: TypeError: option "password" must be a string, float given
password object: TypeError: option "password" must be a string, ArrayObject given
host array: TypeError: option "host" must be a string, array given
host float: TypeError: option "host" must be a string, float given
host object: TypeError: option "host" must be a string, ArrayObject given
path array: TypeError: option "path" must be a string, array given
path float: TypeError: option "path" must be a string, float given
path object: TypeError: option "path" must be a string, ArrayObject given
scheme array: TypeError: option "scheme" must be a string, array given
scheme float: TypeError: option "scheme" must be a string, float given
scheme object: TypeError: option "scheme" must be a string, ArrayObject given
on_lost array: TypeError: option "on_lost" must be a string, array given
on_lost float: TypeError: option "on_lost" must be a string, float given
on_lost object: TypeError: option "on_lost" must be a string, ArrayObject given
url array: TypeError: option "url" must be a string, array given
url float: TypeError: option "url" must be a string, float given
url object: TypeError: option "url" must be a string, ArrayObject given
ttl word: TypeError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, string given
ttl bool: TypeError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, bool given
ttl array: TypeError: option "ttl" must be 0, or a number of seconds of at least 0.001 and at most 315360000, array given
wait word: TypeError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, string given
wait bool: TypeError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, bool given
wait array: TypeError: option "wait" must be 0, or a number of seconds of at least 0.001 and at most 315360000, or INF, array given
retry_ms word: TypeError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, string given
retry_ms bool: TypeError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, bool given
retry_ms array: TypeError: option "retry_ms" must be a number of milliseconds of at least 1 and at most 315360000000, array given
interval word: TypeError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, string given
interval bool: TypeError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, bool given
interval array: TypeError: option "interval" must be a number of seconds of at least 0.001 and at most 315360000, array given
max_hold word: TypeError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, string given
max_hold bool: TypeError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, bool given
max_hold array: TypeError: option "max_hold" must be a number of seconds of at least 0.001 and at most 315360000, array given
hold_at_least word: TypeError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, string given
hold_at_least bool: TypeError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, bool given
hold_at_least array: TypeError: option "hold_at_least" must be 0, or a number of seconds of at least 0.001 and at most 315360000, array given
linger word: TypeError: option "linger" must be 0, or a number of seconds of at least 0.001 and at most 315360000, string given
linger bool: TypeError: option "linger" must be 0, or a number of seconds of at least 0.001 and at most 315360000, bool given
linger array: TypeError: option "linger" must be 0, or a number of seconds of at least 0.001 and at most 315360000, array given
port word: TypeError: option "port" must be a whole number from 1 to 65535, string given
port bool: TypeError: option "port" must be a whole number from 1 to 65535, bool given
port array: TypeError: option "port" must be a whole number from 1 to 65535, array given
database word: TypeError: option "database" must be a whole number from 0 to 2147483647, string given
database bool: TypeError: option "database" must be a whole number from 0 to 2147483647, bool given
database array: TypeError: option "database" must be a whole number from 0 to 2147483647, array given
timeout word: TypeError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, string given
timeout bool: TypeError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, bool given
timeout array: TypeError: option "timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, array given
read_timeout word: TypeError: option "read_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, string given
read_timeout bool: TypeError: option "read_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, bool given
read_timeout array: TypeError: option "read_timeout" must be a number of seconds of at least 0.001 and at most 3600, or 0 for the default, array given
retries word: TypeError: option "retries" must be a whole number from 0 to 100, string given
retries bool: TypeError: option "retries" must be a whole number from 0 to 100, bool given
retries array: TypeError: option "retries" must be a whole number from 0 to 100, array given
renew word: ValueError: option "renew" must be true or false
renew number: ValueError: option "renew" must be true or false
renew float: TypeError: option "renew" must be true or false, float given
renew closure: TypeError: option "renew" must be true or false, Closure given
reentrant word: ValueError: option "reentrant" must be true or false
reentrant number: ValueError: option "reentrant" must be true or false
reentrant float: TypeError: option "reentrant" must be true or false, float given
reentrant closure: TypeError: option "reentrant" must be true or false, Closure given
fence word: ValueError: option "fence" must be true or false
fence number: ValueError: option "fence" must be true or false
fence float: TypeError: option "fence" must be true or false, float given
fence closure: TypeError: option "fence" must be true or false, Closure given
auth: TypeError: option "auth" must be a password, or a list of user and password, float given
auth list: ValueError: option "auth" must be a password, or a list of user and password
auth map: ValueError: option "auth" must be a password, or a list of user and password
options: ValueError: unknown option "options"; RedisLock\Options::from() of redislock/lock reads it
a list: TypeError: the options must be an array with their names as keys, list given; RedisLock\Options::from() of redislock/lock reads it
a loop: ValueError: option "servers" cannot be given for one server of a list
